// Removes the keys whose value is undefined: in the Bot API a missing field is absent.

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

export function defined<T extends object>(value: T): Defined<T> {
  const kept = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(kept) as Defined<T>
}
