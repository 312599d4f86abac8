import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { Field } from "../../../ui/Field.tsx"
import { Empty, Page } from "../../../ui/Page.tsx"
import { Time } from "../../../ui/Time.tsx"
import { Listed } from "./Listed.tsx"
import { operator } from "./operations.ts"

/** Accounts to find (CONSOLE-31). The search stands in the URL. */
const Accounts = () => {
  const { frozen, search: found } = useSearch({ strict: false }) as { search?: unknown; frozen?: unknown }
  const search = found === undefined ? "" : String(found)
  const onlyFrozen = frozen === true
  const [text, setText] = useState(search)
  const navigate = useNavigate()
  const show = (wanted: { readonly search: string; readonly frozen: boolean }) =>
    void navigate({
      to: "/operator/accounts",
      search: {
        ...(wanted.search === "" ? {} : { search: wanted.search }),
        ...(wanted.frozen ? { frozen: true } : {})
      } as never
    })
  const filter = { ...(search === "" ? {} : { search }), ...(onlyFrozen ? { frozen: true } : {}) }
  return (
    <Page title="Accounts" lead="Find an account to see its balance, keys and agents, or to freeze or recover it.">
      <form
        role="search"
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          show({ search: text.trim(), frozen: onlyFrozen })
        }}
      >
        <div className="min-w-0 basis-60 grow">
          <Field
            label="Name, e-mail address or id"
            type="search"
            maxLength={100}
            dir="auto"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
        <button className="button button-primary">Find</button>
        <label className="flex min-h-10 items-center gap-2">
          <input
            type="checkbox"
            className="size-5 accent-accent"
            checked={onlyFrozen}
            onChange={({ target }) => show({ search: text.trim(), frozen: target.checked })}
          />
          Only frozen
        </label>
      </form>
      <Listed
        key={`${search} ${onlyFrozen}`}
        queryKey={["operator", "accounts", search, onlyFrozen]}
        read={(page) => operator.accounts({ ...page, ...filter })}
        empty={
          <Empty title="No account matches">
            Search for part of a name or e-mail address, or for a whole id such as usr_….
          </Empty>
        }
      >
        {({ createdAt, email, frozenAt, id, name, operator: isOperator, seller, tier }) => (
          <li key={id} className="card flex flex-wrap items-center justify-between gap-3 p-4">
            <div className="min-w-0 flex-1 basis-40">
              <Link
                to={`/operator/accounts/${encodeURIComponent(id)}`}
                className="link font-medium wrap-anywhere"
                dir="auto"
              >
                {name}
              </Link>
              <p className="text-sm text-muted wrap-anywhere">
                {email === null ? "" : `${email}, `}since <Time at={createdAt} />
              </p>
            </div>
            <p className="flex flex-wrap gap-2">
              {frozenAt === null ? null : <span className="badge text-bad">Frozen</span>}
              {isOperator ? <span className="badge text-warn">Operator</span> : null}
              {seller ? <span className="badge">Seller</span> : null}
              <span className="badge">{tier}</span>
            </p>
          </li>
        )}
      </Listed>
    </Page>
  )
}

export default Accounts
