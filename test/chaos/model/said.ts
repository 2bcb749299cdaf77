/** A message of the bot, as a person sees it. */
export interface Said {
  readonly id: number
  readonly words: string
  /** What its buttons carry and say. */
  readonly buttons: readonly { readonly data: string; readonly label: string }[]
}
