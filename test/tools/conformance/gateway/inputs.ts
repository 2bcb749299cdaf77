// Fetches the addresses in a request, as a vendor does, since a vendor cannot use an address that it cannot fetch.

const notFetched = ['callBackUrl', 'webhookURL', 'callback_url', 'uploadEndpoint']

function addressesOf(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:\/\/\S+$/.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    notFetched.includes(name) ? [] : addressesOf(inner),
  )
}

/** @returns the first address of the body that cannot be fetched, with the reason; undefined if all can be fetched */
export async function unreachable(body: object): Promise<string | undefined> {
  for (const address of addressesOf(body)) {
    const status = await fetch(address).then(
      async (answer) => ((await answer.arrayBuffer()).byteLength > 0 ? answer.status : 204),
      () => 0,
    )
    if (status !== 200) return `${address} answers ${status}`
  }
  return undefined
}
