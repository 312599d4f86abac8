import { approvalStoreContract } from "@agent-marketplace/testkit/approvals/ApprovalStoreContract"
import { testStores } from "../testStores.ts"

approvalStoreContract("sqlite", testStores)
