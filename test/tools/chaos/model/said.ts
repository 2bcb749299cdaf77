/** A message of the bot, as a person sees it. */
export interface Said {
  readonly id: number
  readonly words: string
  /** The callback data and the label of each button. */
  readonly buttons: readonly { readonly data: string; readonly label: string }[]
}
