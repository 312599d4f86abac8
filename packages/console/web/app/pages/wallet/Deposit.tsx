import { useQuery } from "@tanstack/react-query"
import { Copy } from "../../../ui/Copy.tsx"
import { Loaded } from "../../../ui/Loaded.tsx"
import { Card } from "../../../ui/Page.tsx"
import { market } from "../../market.ts"

/** The picture from this origin, whatever name of the service its URL has. */
const pictureOf = (qrCode: string): string => new URL(qrCode, location.origin).pathname

/** Where to send USDT. */
export const Deposit = () => {
  const query = useQuery({ queryKey: ["wallet", "deposit"], queryFn: () => market.wallet.deposit() })
  return (
    <Card title="Deposit">
      <Loaded query={query}>
        {({ address, qrCode }) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <p className="text-muted">
              Send USDT on TRON (TRC-20) to this address. Anything else that is sent there is lost.
            </p>
            <img
              src={pictureOf(qrCode)}
              alt={`QR code of the address ${address}`}
              width={176}
              height={176}
              className="justify-self-center rounded-lg border border-line bg-white p-2"
            />
            <Copy label="deposit address" text={address} />
          </div>
        )}
      </Loaded>
    </Card>
  )
}
