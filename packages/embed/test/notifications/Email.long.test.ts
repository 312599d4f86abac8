import { assert, describe, it } from "vitest"
import { buyerOf, sellerOf, withMarket } from "../fixtures/market.ts"
import { baseUrl, codeIn, emailChannel, withMail } from "./fixtures.ts"

const failureOf = async (call: Promise<unknown>) =>
  await call.then(
    () => assert.fail("it was accepted"),
    (error: { code: string; message: string; details: Record<string, unknown> }) => error
  )

const unsubscribeUrlIn = (header: string | undefined): string => /^<(.+)>$/.exec(header ?? "")?.[1] ?? ""

describe("notifications by e-mail", () => {
  it("an address gets a code and nothing else until it is entered; then an approval comes at once, with a link to its page (NOTIFY-7, NOTIFY-8, NOTIFY-10)", () =>
    withMail(async (market, mails) => {
      const { skill } = await sellerOf(market)
      const buyer = await buyerOf(market, "100")
      await buyer.wallet.policy.change({ autoApproveThreshold: "5" })
      const added = await buyer.notifications.channels.add({ kind: "email", address: "ada@ada.dev" })
      assert.deepInclude(added, { kind: "email", label: "ada@ada.dev", verified: false, enabled: true })
      const [code, ...more] = mails.received
      assert.lengthOf(more, 0)
      assert.deepStrictEqual(code?.to, ["ada@ada.dev"])
      assert.isUndefined(code?.header("List-Unsubscribe"))
      const { address } = await buyer.wallet.deposit()
      await market.simulation.deposit(address, "3")
      await market.simulation.advance(4)
      assert.lengthOf(mails.received, 1)

      const wrong = await failureOf(buyer.notifications.channels.verify(added.id, { code: "00000000" }))
      assert.strictEqual(wrong.code, "VALIDATION_ERROR")
      const verified = await buyer.notifications.channels.verify(added.id, {
        code: codeIn(code ?? assert.fail()).toUpperCase()
      })
      assert.isTrue(verified.verified)
      const bought = await buyer.skills.buy({ skillId: skill.id })
      assert.strictEqual(bought.status, "pending_approval")
      await market.simulation.advance(1)
      const [, mail, ...others] = mails.received
      assert.lengthOf(others, 0)
      const [approval] = await buyer.approvals.list({})
      assert.strictEqual(mail?.header("Subject"), "A purchase of Mail Sorter for 10.00 USDT waits for your approval")
      assert.include(mail?.text, `${baseUrl}/approvals/${approval?.id ?? ""}\r\n`)
      assert.strictEqual(mail?.header("From"), "Market <market@shop.example>")
      assert.match(mail?.header("Message-ID") ?? "", /^<ntc_[0-9a-z]+@shop\.example>$/)
      const page = await market.fetch(new Request(`${baseUrl}/approvals/${approval?.id ?? ""}`))
      await page.text()
      assert.strictEqual((await buyer.approvals.get(approval?.id ?? "")).status, "pending")
      await market.simulation.advance(3600)
      assert.lengthOf(mails.received, 2, "nothing is sent twice")
    }))

  it("names the settings if the market sends no e-mail, and every wrong field (NOTIFY-9)", async () => {
    await withMarket(async (market) => {
      const ada = market.as({ id: "ada", name: "Ada" })
      const { details } = await failureOf(ada.notifications.channels.add({ kind: "email", address: "ada@ada.dev" }))
      assert.include(JSON.stringify(details), "SMTP_URL is not set")
    })
    await withMail(async (market, mails) => {
      const ada = market.as({ id: "ada", name: "Ada" })
      const wrong = [
        "ada",
        "a@b",
        "a b@c.de",
        '"a"@c.de',
        "a@c.de,b@c.de",
        "a@c.de\r\nBcc: b@c.de",
        "ä@c.de",
        "<a@c.de>"
      ]
      for (const address of wrong) {
        const failure = await failureOf(ada.notifications.channels.add({ kind: "email", address }))
        assert.strictEqual(failure.code, "VALIDATION_ERROR", address)
        assert.include(JSON.stringify(failure.details), `"path":"address"`)
      }
      const missing = await failureOf(ada.notifications.channels.add({ kind: "email" }))
      assert.include(JSON.stringify(missing.details), "is required for email")
      assert.lengthOf(mails.received, 0)
      assert.strictEqual((await ada.notifications.channels.list()).length, 0)
    })
  })

  it("five wrong codes void a code, and an address gets at most five (NOTIFY-10)", () =>
    withMail(async (market, mails) => {
      const ada = market.as({ id: "ada", name: "Ada" })
      const { id } = await ada.notifications.channels.add({ kind: "email", address: "ada@ada.dev" })
      const code = codeIn(mails.received[0] ?? assert.fail())
      const codes: Array<string> = []
      for (let i = 0; i < 5; i++) {
        codes.push((await failureOf(ada.notifications.channels.verify(id, { code: "zzzzzzzz" }))).code)
      }
      assert.deepStrictEqual(new Set(codes.slice(0, 4)), new Set(["VALIDATION_ERROR"]))
      assert.strictEqual(codes[4], "CONFLICT")
      assert.strictEqual((await failureOf(ada.notifications.channels.verify(id, { code }))).code, "CONFLICT")
      for (let i = 0; i < 4; i++) await ada.notifications.channels.sendCode(id)
      assert.deepInclude((await failureOf(ada.notifications.channels.sendCode(id))).details, {
        state: "confirmation_limit"
      })
      const eve = market.as({ id: "eve", name: "Eve" })
      for (const address of ["ADA@ada.dev", "ada+2@ada.dev"]) {
        const other = await failureOf(eve.notifications.channels.add({ kind: "email", address }))
        assert.deepInclude(other.details, { state: "confirmation_limit" })
      }
      const last = codeIn(mails.received.at(-1) ?? assert.fail())
      await market.simulation.advance(31 * 60)
      assert.strictEqual((await failureOf(ada.notifications.channels.verify(id, { code: last }))).code, "CONFLICT")
      assert.lengthOf(mails.received, 5)
      for (const { text } of mails.received) assert.notInclude(text, "Ada")
    }))

  it("one press unsubscribes; opening the page changes nothing, and a forged token is refused (NOTIFY-11)", () =>
    withMail(async (market, mails) => {
      const ada = await buyerOf(market, "1")
      const id = await emailChannel(ada, mails)
      const { address } = await ada.wallet.deposit()
      await market.simulation.deposit(address, "2")
      await market.simulation.advance(4)
      const mail = mails.received.at(-1) ?? assert.fail()
      assert.strictEqual(mail.header("Subject"), "A deposit of 2.00 USDT has arrived")
      assert.strictEqual(mail.header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click")
      const url = unsubscribeUrlIn(mail.header("List-Unsubscribe"))
      assert.isTrue(url.startsWith(`${baseUrl}/notifications/unsubscribe?token=${id}.`))
      assert.include(mail.text, url)
      const isOn = async () => (await ada.notifications.channels.list())[0]?.enabled
      const page = await market.fetch(new Request(url))
      assert.strictEqual(page.status, 200)
      assert.include(await page.text(), "<button>Stop these messages</button>")
      const body = "List-Unsubscribe=One-Click"
      const headers = { "content-type": "application/x-www-form-urlencoded" }
      const forged = `${url.slice(0, -1)}${url.endsWith("0") ? "1" : "0"}`
      for (const wrong of [
        forged,
        `${baseUrl}/notifications/unsubscribe`,
        `${baseUrl}/notifications/unsubscribe?token=x`
      ]) {
        const refused = await market.fetch(new Request(wrong, { method: "POST", body, headers }))
        assert.strictEqual(refused.status, 404)
      }
      assert.isTrue(await isOn())
      assert.strictEqual((await market.fetch(new Request(url, { method: "POST", body, headers }))).status, 200)
      assert.isFalse(await isOn())
      const before = mails.received.length
      await market.simulation.deposit(address, "2")
      await market.simulation.advance(4)
      assert.lengthOf(mails.received, before)
    }))

  it("a temporary failure is repeated with the same Message-ID, a permanent one is not; no text of the server is shown (NOTIFY-6, NOTIFY-13)", async () => {
    let code: number | undefined
    await withMail(
      async (market, mails) => {
        const ada = await buyerOf(market, "1")
        await emailChannel(ada, mails)
        const { address } = await ada.wallet.deposit()
        const happen = async () => {
          await market.simulation.deposit(address, "2")
          await market.simulation.advance(4)
        }
        const problem = async () => (await ada.notifications.channels.list())[0]?.problem
        code = 451
        await happen()
        assert.lengthOf(mails.received, 2)
        assert.strictEqual(await problem(), "the mail server could not take the message (451)")
        code = undefined
        await market.simulation.advance(10)
        assert.lengthOf(mails.received, 3)
        assert.strictEqual(mails.received[2]?.header("Message-ID"), mails.received[1]?.header("Message-ID"))
        assert.isNull(await problem())
        code = 550
        await happen()
        code = undefined
        await market.simulation.advance(7200)
        assert.lengthOf(mails.received, 4)
        assert.strictEqual(await problem(), "the mail server refused the message (550)")
      },
      () => (code === undefined ? undefined : { code })
    )
  })

  it("texts of others cannot add links, addresses or headers, and keys never appear (NOTIFY-8)", () =>
    withMail(async (market, mails) => {
      const seller = market.as({ id: "seller", name: "Seller", seller: true })
      await emailChannel(seller, mails, "seller@ada.dev")
      const buyer = await buyerOf(market, "1000")
      await emailChannel(buyer, mails, "buyer@ada.dev")
      const names = [
        "Verify at evil.example/login",
        "https://evil.example",
        "mail me@evil.example",
        "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
        "Сорт Ёлка 🎄",
        "<script>alert(1)</script>",
        "Subject: spoofed"
      ]
      for (const name of names) {
        const skill = await seller.skills.create({ name, description: "Sorts a day's mail.", price: 10 })
        const { licenseKey } = await buyer.skills.buy({ skillId: skill.id })
        await market.simulation.advance(1)
        const mail = mails.received.at(-1) ?? assert.fail()
        assert.deepStrictEqual(mail.to, ["seller@ada.dev"])
        assert.match(mail.text, /^You sold .{1,60} for 10\.00 USDT\.\r\n/u)
        const links = mail.text.match(/\S+:\/\/\S+/g) ?? []
        for (const link of links) assert.isTrue(link.startsWith(baseUrl), link)
        assert.notMatch(mail.text, /evil|TJRab/)
        assert.notInclude(mail.text, licenseKey ?? "no key")
        assert.notInclude(mail.text, "Buyer")
        assert.lengthOf(mail.source.match(/^Subject:/gim) ?? [], 1)
      }
      const texts = mails.received.map(({ text }) => text).join("\n")
      assert.include(texts, "You sold Сорт Ёлка 🎄 for")
      assert.include(texts, "You sold Subject: spoofed for")
    }))

  it("a digest is one message; kinds that are off are not sent (NOTIFY-2, NOTIFY-7)", () =>
    withMail(async (market, mails) => {
      const ada = await buyerOf(market, "1")
      await emailChannel(ada, mails, "ada@ada.dev", "hourly")
      const { address } = await ada.wallet.deposit()
      const { kinds, preferences } = await ada.notifications.get()
      assert.sameMembers([...kinds], ["email", "push", "slack", "telegram", "discord"])
      assert.isTrue(Object.values(preferences).every((on) => on))
      for (const amount of ["2", "3", "4"]) {
        await market.simulation.deposit(address, amount)
        await market.simulation.advance(4)
      }
      assert.isAtMost(mails.received.length, 2)
      await market.simulation.advance(3600)
      const sent = mails.received.slice(1).map(({ text }) => text)
      assert.strictEqual(sent.join().split("has arrived").length - 1, 3)
      assert.isAtMost(sent.length, 2)
      await ada.notifications.set({ preferences: { ...preferences, deposit: false } })
      await market.simulation.deposit(address, "5")
      await market.simulation.advance(4)
      await market.simulation.advance(3600)
      assert.strictEqual(mails.received.length, 1 + sent.length)
    }))

  it("80 % of a limit is announced once, for the account's limit (NOTIFY-4)", () =>
    withMail(async (market, mails) => {
      const seller = market.as({ id: "seller", name: "Seller", seller: true })
      const buyer = await buyerOf(market, "100")
      await emailChannel(buyer, mails)
      await buyer.wallet.policy.change({ dailyLimit: "50" })
      const subjects: Array<string | undefined> = []
      for (let i = 0; i < 5; i++) {
        const skill = await seller.skills.create({ name: `Sorter ${i}`, description: "Sorts a day's mail.", price: 10 })
        await buyer.skills.buy({ skillId: skill.id })
        await market.simulation.advance(1)
        subjects.push(mails.received.slice(1).at(-1)?.header("Subject"))
      }
      const near = "40.00 of 50.00 USDT of your daily limit are spent"
      assert.deepStrictEqual(subjects, [undefined, undefined, undefined, near, near])
      assert.lengthOf(mails.received, 2)
    }))

  it("a test message is sent at once; the export lists channels, and an erased account has none (NOTIFY-14, NOTIFY-17)", () =>
    withMail(async (market, mails) => {
      const ada = market.as({ id: "ada", name: "Ada" })
      const id = await emailChannel(ada, mails)
      assert.deepStrictEqual(await ada.notifications.channels.test(id), { sent: true, problem: null })
      assert.strictEqual(mails.received.at(-1)?.header("Subject"), "This is a test of your notifications")
      await ada.notifications.channels.update(id, { enabled: false })
      const off = await failureOf(ada.notifications.channels.test(id))
      assert.deepInclude(off.details, { state: "disabled" })
      await ada.notifications.channels.update(id, { enabled: true })
      const exported = await ada.account.export()
      assert.deepStrictEqual(
        exported.notificationChannels.map(({ kind, label }) => [kind, label]),
        [["email", "ada@ada.dev"]]
      )
      assert.isTrue(exported.notificationPreferences.approval)
      const stranger = market.as({ id: "eve", name: "Eve" })
      assert.strictEqual((await failureOf(stranger.notifications.channels.test(id))).code, "CHANNEL_NOT_FOUND")
      await ada.account.erase()
      assert.strictEqual((await market.as({ id: "ada", name: "Ada" }).notifications.channels.list()).length, 0)
    }))
})
