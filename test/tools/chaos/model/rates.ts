// The price of an answer, computed from the rates that the operator wrote: roubles per million tokens, rounded up once to a kopeck.

export interface Rates {
  /** Roubles per million tokens, like `39.62`. */
  readonly input: string
  readonly output: string
}

/** A text model as the operator's catalog describes it. */
export interface TextModel {
  readonly id: string
  readonly rates: Rates
  readonly seesPictures: boolean
}

/** The model with the lowest rates, which rewrites prompts. */
export function cheapestOf(models: readonly TextModel[]): TextModel | undefined {
  const costOf = ({ rates }: TextModel) => priceOfTokens(rates, 1_000_000, 1_000_000)
  return models.toSorted((a, b) => costOf(a) - costOf(b))[0]
}

/** The rate in kopecks per million tokens. @throws RangeError if the rate has more than two decimals */
function perMillion(rate: string): bigint {
  const [, whole = '', part = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(rate) ?? []
  if (whole === '') throw new RangeError(`not a rate in whole kopecks: ${rate}`)
  return BigInt(whole + part.padEnd(2, '0'))
}

const million = 1_000_000n

/** The price in kopecks, rounded up. */
export function priceOfTokens(rates: Rates, input: number, output: number): number {
  const parts = BigInt(input) * perMillion(rates.input) + BigInt(output) * perMillion(rates.output)
  return Number((parts + million - 1n) / million)
}
