// A value that is made when it is first needed, since making it at the start would delay the first answer.

export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
