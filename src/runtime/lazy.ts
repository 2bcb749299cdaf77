// A value that is computed when it is first needed, since computing it at the start would delay the first answer.

export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
