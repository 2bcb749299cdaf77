// The list of scripted faults: what goes wrong, in which operation, and how many times. `POST /api/faults` adds to the list; the local
// Telegram, the local gateway and the local YooKassa take faults from it. Production code does not know of it.

import { z } from 'zod'
import { type Fault, faultSchema, type ScriptedFault } from './fault-schema.ts'
import { type Handler, parseJson, readBody, sendJson } from './http.ts'

export { type Fault, faultSchema, type ScriptedFault } from './fault-schema.ts'

export interface Faults {
  add(fault: ScriptedFault): void
  /** The next fault of this operation; each call uses up one of its `times` or `skip`. */
  take(target: ScriptedFault['target'], operation: string): Fault | undefined
  list(): readonly ScriptedFault[]
  clear(): void
}

export function createFaults(): Faults {
  let scripted: ScriptedFault[] = []
  return {
    add: (fault) => void scripted.push({ ...fault }),
    take(target, operation) {
      const next = scripted.find(
        (one) => one.target === target && (one.operation === operation || one.operation === '*'),
      )
      if (!next) return undefined
      if (next.skip) {
        next.skip -= 1
        return undefined
      }
      next.times -= 1
      scripted = scripted.filter((one) => one.times > 0)
      return next.fault
    },
    list: () => scripted,
    clear() {
      scripted = []
    },
  }
}

/** `/api/faults`: GET lists the scripted faults, POST adds one, DELETE removes all. Each answers with the list. */
export function createFaultRoutes(faults: Faults): Handler {
  return async (req, res, { pathname }) => {
    if (pathname !== '/api/faults') return false
    if (req.method === 'DELETE') faults.clear()
    if (req.method === 'POST') {
      const fault = faultSchema.safeParse(parseJson(String(await readBody(req))))
      if (!fault.success) {
        sendJson(res, 400, { error: z.prettifyError(fault.error) })
        return true
      }
      faults.add(fault.data)
    }
    sendJson(res, 200, faults.list())
    return true
  }
}
