// An invariant of money, written as a query whose result are the rows that violate it.

export interface Invariant {
  readonly name: string
  /** Selects `subject` and `fact`. Plain SQL, independent of the code that writes the rows. */
  readonly broken: string
}

/** An SQL text of an amount in kopecks: `92.45 ₽`; `none` for null. */
export const roubles = (kopecks: string): string =>
  `coalesce(to_char((${kopecks}) / 100.0, 'FM999999999990.00') || ' ₽', 'none')`

/** Whether two moments that belong together are apart. Some are read from the clock one after the other. */
export const isApart = (one: string, other: string): string =>
  `(${one} is null or ${other} is null or abs(extract(epoch from ${one} - ${other})) > 60)`

export const named = ({ name, broken }: Invariant): string =>
  `select '${name}' as invariant, subject, fact from (${broken}) broken`
