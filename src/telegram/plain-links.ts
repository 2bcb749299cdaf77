// How texts are sent that may contain an address which is not ours: without the preview that Telegram adds to links.

export const withoutPreview = { link_preview_options: { is_disabled: true } } as const

export const htmlWithoutPreview = { parse_mode: 'HTML', ...withoutPreview } as const
