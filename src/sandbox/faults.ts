// Scripted faults: what goes wrong next, where, and how many times. `POST /api/faults` fills the list,
// the local Telegram, the local gateway and the local YooKassa take from it. Production code knows nothing of it.

import type { Fault, ScriptedFault } from './fault-schema.ts'

export { type Fault, faultSchema, type ScriptedFault } from './fault-schema.ts'

export interface Faults {
  add(fault: ScriptedFault): void
  /** The next fault for this operation, used up by being taken. */
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
