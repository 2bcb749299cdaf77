// Computes the balance that each person must have at the end, from payments, gifts, orders, questions and the actions of operators, and
// compares it with the tables and with the bot's answer to `/balance`.

/** An amount in kopecks, or a range where a fault makes more than one amount right. */
export interface Due {
  readonly least: number
  readonly most: number
}

export const exactly = (amount: number): Due => ({ least: amount, most: amount })
export const upTo = (amount: number): Due => ({ least: Math.min(0, amount), most: Math.max(0, amount) })

/** A change of the balance of a person. */
export interface Entry {
  readonly person: number
  readonly what: string
  readonly due: Due
}

export interface Kept {
  readonly person: number
  readonly available: number
  readonly held: number
}

export interface BalanceFacts {
  readonly people: readonly number[]
  readonly entries: readonly Entry[]
  /** The balances in the tables of the app. */
  readonly kept: readonly Kept[]
  /** The amount in the bot's answer to `/balance` when nothing is under way; undefined without an answer. */
  saidBy(person: number): number | undefined
}

export interface BalanceFault {
  readonly person: number
  readonly fact: string
}

export function faultsOfBalances({ people, entries, kept, saidBy }: BalanceFacts): readonly BalanceFault[] {
  const own = Map.groupBy(entries, ({ person }) => person)
  const balances = new Map(kept.map((one) => [one.person, one]))
  return people.flatMap((person) => {
    const listed = own.get(person) ?? []
    const due = sumOf(listed)
    const { available, held } = balances.get(person) ?? { available: 0, held: 0 }
    const said = saidBy(person)
    const faults = [
      ...(isWithin(due, available) ? [] : [`has ${available}, must have ${shown(due)} = ${listOf(listed)}`]),
      ...(held === 0 ? [] : [`${held} are held although nothing is under way`]),
      ...(said === available ? [] : [`has ${available}, and /balance says ${said ?? 'nothing'}`]),
    ]
    return faults.map((fact) => ({ person, fact }))
  })
}

function sumOf(entries: readonly Entry[]): Due {
  const sum = (side: keyof Due) => entries.reduce((total, { due }) => total + due[side], 0)
  return { least: sum('least'), most: sum('most') }
}

const isWithin = ({ least, most }: Due, amount: number): boolean => least <= amount && amount <= most
const shown = ({ least, most }: Due): string => (least === most ? String(most) : `${least} to ${most}`)
const listOf = (entries: readonly Entry[]): string =>
  entries.map(({ what, due }) => `${what} ${shown(due)}`).join(', ')
