// An invariant of money, written as a query that returns the rows that violate it.

export interface Invariant {
  readonly name: string
  /**
   * Selects `subject` and `fact`, and `invariant` if the query checks several. Plain SQL, independent of the code that writes the rows.
   */
  readonly broken: string
}

/** An SQL text of an amount in kopecks: `92.45 ₽`; `none` for null. */
export const roubles = (kopecks: string): string =>
  `coalesce(to_char((${kopecks}) / 100.0, 'FM999999999990.00') || ' ₽', 'none')`

/** Whether two times of the same event differ by more than a minute. Some such times are read from the clock one after the other. */
export const isApart = (one: string, other: string): string =>
  `(${one} is null or ${other} is null or abs(extract(epoch from ${one} - ${other})) > 60)`

/** A number in stored JSON, as an SQL text. Any other value is null, so that its row is found and the check does not fail. */
export const numberIn = (text: string): string =>
  `(case when ${text} ~ '^-?[0-9]{1,20}([.][0-9]{1,20})?$' then (${text})::numeric end)`

/** The amount that an action `a` of an operator names. */
export const amountOfAction = numberIn(`(a.details ->> 'amount')`)
