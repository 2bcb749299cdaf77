// Generated from src/bot/locales by `npm run locales`; do not edit.

/** The folders of src/bot/locales. */
export type Locale = 'en' | 'ru'

/** A piece of Telegram HTML: everything foreign in it has been escaped. */
export interface Html {
  readonly html: string
}
type Value = string | number | Html
type None = Readonly<Record<never, never>>

/** Texts without HTML, with the values that are put into them: for buttons, alerts and messages. */
export interface PlainTexts {
  'able-high_quality': None
  'able-image_to_video': None
  'able-video_to_video': None
  'about-3d': None
  'about-design': None
  'about-dialogue': None
  'about-dream': None
  'about-music': None
  'about-photo': None
  'about-reel': None
  'about-speech': None
  'about-wan': None
  'admin-accounting-line': { change: Value; count: Value; kind: Value; name: Value; stars: Value }
  'admin-accounting-nothing': None
  'admin-accounting-payments': { change: Value; commission: Value; count: Value; income: Value; name: Value; stars: Value }
  'admin-answer-usage': None
  'admin-ask-broadcast': None
  'admin-ask-user': None
  'admin-ban-operator': None
  'admin-broadcast-ask': { time: Value }
  'admin-broadcast-before': { left: Value; time: Value }
  'admin-broadcast-begun': None
  'admin-broadcast-button': { text: Value; to: Value }
  'admin-broadcast-no-copy': None
  'admin-broadcast-no-days': None
  'admin-broadcast-no-source': { names: Value; source: Value }
  'admin-broadcast-nobody': None
  'admin-broadcast-outside': None
  'admin-broadcast-past': None
  'admin-broadcast-reaction': { orders: Value; people: Value; switchedOff: Value }
  'admin-broadcast-sent': { failed: Value; left: Value; sent: Value }
  'admin-broadcast-too-long': { length: Value; most: Value }
  'admin-broadcasts': None
  'admin-button-after': None
  'admin-button-ban': None
  'admin-button-before': None
  'admin-button-broadcast-button': None
  'admin-button-broadcast-days': { days: Value }
  'admin-button-broadcast-source': None
  'admin-button-broadcast-time': None
  'admin-button-debit': None
  'admin-button-edit': None
  'admin-button-find': None
  'admin-button-grant': None
  'admin-button-log': None
  'admin-button-maintenance-begin': None
  'admin-button-maintenance-end': None
  'admin-button-message': None
  'admin-button-month': None
  'admin-button-no': None
  'admin-button-orders': None
  'admin-button-pause': None
  'admin-button-payments': None
  'admin-button-refresh': None
  'admin-button-refund': { amount: Value; id: Value }
  'admin-button-reports': { open: Value }
  'admin-button-resume': None
  'admin-button-send': None
  'admin-button-stop-draft': None
  'admin-button-stop-paused': None
  'admin-button-stop-running': None
  'admin-button-stop-scheduled': None
  'admin-button-switches': None
  'admin-button-today': None
  'admin-button-unban': None
  'admin-button-week': None
  'admin-button-yes': None
  'admin-command-accounting': None
  'admin-command-admin': None
  'admin-command-broadcast': None
  'admin-command-promo-add': None
  'admin-command-promo-end': None
  'admin-command-sources': None
  'admin-command-user': None
  'admin-confirm-maintenance': None
  'admin-declined': None
  'admin-done-before': None
  'admin-figures-before-commissions': { providers: Value }
  'admin-figures-commissions': { sum: Value }
  'admin-figures-estimated': { count: Value }
  'admin-figures-late': { cost: Value; count: Value }
  'admin-figures-lost': { cost: Value; count: Value }
  'admin-figures-model': { cost: Value; done: Value; failed: Value; margin: Value; name: Value; rate: Value; refunds: Value; sales: Value }
  'admin-figures-no-model': None
  'admin-figures-other-models': { count: Value }
  'admin-figures-people': { activeUsers: Value; came: Value; openReports: Value; ordered: Value; paid: Value }
  'admin-figures-top-up': { count: Value; credit: Value; provider: Value }
  'admin-figures-uncosted': { count: Value; sales: Value }
  'admin-insufficient': { available: Value; name: Value }
  'admin-log-empty': None
  'admin-log-line': { action: Value; amount: Value; reason: Value; subject: Value; time: Value; who: Value }
  'admin-no-orders': { name: Value }
  'admin-no-payments': { name: Value }
  'admin-no-reports': None
  'admin-no-right': None
  'admin-not-refunded': { left: Value; mark: Value; reason: Value }
  'admin-payment-not-refunded': { reason: Value; said: Value }
  'admin-period-usage': None
  'admin-press-a-button': None
  'admin-promo-percent': { most: Value; percent: Value }
  'admin-reason-empty': None
  'admin-reason-late': None
  'admin-reason-lost': None
  'admin-reason-no-file': None
  'admin-reason-no-voice': None
  'admin-reason-paused': None
  'admin-reason-refused': None
  'admin-reason-report': None
  'admin-reason-task-canceled': None
  'admin-reason-task-ended': None
  'admin-reason-task-failed': None
  'admin-reason-too-large': None
  'admin-reason-unavailable': None
  'admin-reason-withdrawn': None
  'admin-refund-by-hand': None
  'admin-report-closed': None
  'admin-several-found': { query: Value }
  'admin-sources-usage': None
  'admin-stopped': None
  'admin-user-banned': { reason: Value; since: Value }
  'admin-user-forgotten': { since: Value }
  'admin-user-partner': { percent: Value }
  'administrators-hidden': None
  'alarm-fact': { fact: Value; kind: Value }
  'alarm-losing': None
  'alarm-suspected': None
  'album-in-question': None
  'album-on-card': None
  'album-uses': { count: number }
  'anonymous-admin': None
  'anonymous-channel': None
  'answer-cleared': None
  'answer-default': None
  'answer-made-room': { label: Value; value: Value }
  'answer-not-needed': { model: Value }
  'answer-off': None
  'answer-on': None
  'answers-dropped': { labels: Value }
  'answers-lowered': { settings: Value }
  'ask-example': { example: Value }
  'ask-in-group': { person: Value }
  'ask-more-files': { count: Value; max: Value }
  'ask-summary': None
  'ask-text-please': None
  'asking-stopped': None
  'audience-all': None
  'audience-any-language': None
  'audience-newcomers': None
  'audience-payers': None
  'audience-quiet': { days: number }
  'audience-source': { source: Value }
  'balance-held': { held: Value }
  'banned': { contact: Value }
  'banned-alert': None
  'banned-for-good': None
  'begin-chat': None
  'begin-dialogue': None
  'begin-image': None
  'begin-model3d': None
  'begin-music': None
  'begin-speech': None
  'begin-video': None
  'broadcast-state-done': None
  'broadcast-state-draft': None
  'broadcast-state-paused': None
  'broadcast-state-running': None
  'broadcast-state-scheduled': None
  'broadcast-state-stopped': None
  'button-add-to-prompt': None
  'button-advanced': None
  'button-again': None
  'button-again-exactly': None
  'button-again-for': { amount: Value }
  'button-album': None
  'button-all-orders': None
  'button-answer': { amount: Value }
  'button-answer-report': None
  'button-as-last-time': None
  'button-ask-about': { amount: Value; kind: Value }
  'button-ask-by': { amount: Value; model: Value }
  'button-ask-words': { amount: Value }
  'button-back': None
  'button-cancel-order': None
  'button-change': None
  'button-change-email': None
  'button-chat-cost': { amount: Value }
  'button-chat-retry': None
  'button-chat-stop': None
  'button-clear': None
  'button-consent': None
  'button-continue-video': None
  'button-copy-text': None
  'button-decline': None
  'button-default-model': { kind: Value; name: Value }
  'button-default-shape': { kind: Value; name: Value }
  'button-delete-preset': None
  'button-drop': None
  'button-enough': None
  'button-example': { amount: Value }
  'button-export': None
  'button-favourite-off': None
  'button-favourite-on': None
  'button-filter': None
  'button-filtered': { what: Value }
  'button-final': { amount: Value; quality: Value; seconds: Value }
  'button-forget': None
  'button-forget-really': None
  'button-full-3d': { amount: Value }
  'button-generate': { amount: Value }
  'button-guide': None
  'button-idea-off': None
  'button-idea-on': None
  'button-improve': { amount: Value }
  'button-keep': None
  'button-keep-text': None
  'button-less': None
  'button-like': None
  'button-like-picture': { amount: Value }
  'button-lyrics': { amount: Value }
  'button-mark-favourite': None
  'button-mark-hide': None
  'button-mark-ordinary': None
  'button-mark-show': None
  'button-model': None
  'button-models': { name: Value }
  'button-more': None
  'button-more-files': None
  'button-new-style': None
  'button-news-off': None
  'button-news-on': None
  'button-originals': None
  'button-other': None
  'button-own-news-off': None
  'button-own-news-on': None
  'button-own-persona': None
  'button-parameters-words': None
  'button-pay': { credit: Value }
  'button-pay-group': None
  'button-pay-own': None
  'button-persona-off': None
  'button-persona-settings': None
  'button-personas': None
  'button-pick-exactly': { number: Value }
  'button-presets': None
  'button-private-chat': None
  'button-problem': None
  'button-read-aloud': None
  'button-read-answer': { amount: Value }
  'button-refund': { amount: Value }
  'button-remove': None
  'button-replace-prompt': None
  'button-report': None
  'button-reset': None
  'button-sample': None
  'button-save-preset': None
  'button-send-again': None
  'button-settings-first': None
  'button-share': None
  'button-share-result': None
  'button-shorten': { amount: Value }
  'button-stop-asking': None
  'button-summarise': { amount: Value }
  'button-surprise': None
  'button-to-history': None
  'button-top-up': { amount: Value }
  'button-top-up-any': None
  'button-translate': { amount: Value }
  'button-trial': { seconds: Value }
  'button-try-again': None
  'button-use-preset': None
  'button-variations': None
  'button-wallet-back': None
  'button-wallet-cap': None
  'button-wallet-fund': { amount: Value }
  'button-wallet-manage': None
  'button-wallet-no-cap': None
  'button-wallet-off': None
  'button-wallet-on': None
  'button-wallet-open': None
  'button-wallet-top-up': None
  'button-words-answer': None
  'button-words-ask': None
  'cancel-card-stays': { title: Value }
  'cancel-done': { title: Value }
  'cancel-guide': { title: Value }
  'cancel-none-open': None
  'cancel-nothing': None
  'cancel-question': { what: Value }
  'cancel-question-unnamed': None
  'cancel-under-way': { closed: Value; going: Value }
  'cannot-audio': None
  'cannot-image': None
  'cannot-pdf': None
  'cannot-video': None
  'cap-in-group': { name: Value }
  'caption-first': None
  'caption-frame': None
  'caption-last': None
  'caption-sound': None
  'card-balance': { available: Value }
  'card-closed': None
  'card-contradiction': None
  'card-dropped': None
  'card-elsewhere': None
  'card-files-too-large': { most: Value; size: Value }
  'card-missing': { missing: Value }
  'card-no-links': None
  'card-not-offered': None
  'card-not-offered-now': None
  'card-short': { missing: Value }
  'card-unpriced': None
  'card-wallet-cap': { left: Value; most: Value }
  'card-wallet-member-unknown': None
  'card-wallet-not-member': None
  'card-wallet-rest': { available: Value }
  'card-wallet-rest-cap': { available: Value; left: Value; most: Value }
  'card-wallet-short': { available: Value }
  'chat-broken': None
  'chat-cost': { amount: Value; answers: Value; input: Value; output: Value; total: Value }
  'chat-cost-estimate': { amount: Value; answers: Value; input: Value; output: Value; total: Value }
  'chat-cost-file': None
  'chat-cut': None
  'chat-daily-cap': { most: Value; spent: Value }
  'chat-edited-part': None
  'chat-ended-chosen': None
  'chat-ended-filter': None
  'chat-ended-length': None
  'chat-ended-money': None
  'chat-ended-refusal': None
  'chat-failed-declined': None
  'chat-failed-empty': None
  'chat-failed-paused': None
  'chat-failed-refused': None
  'chat-failed-said': { said: Value }
  'chat-failed-too-large': None
  'chat-failed-unavailable': None
  'chat-first-dearer': None
  'chat-held': None
  'chat-how': None
  'chat-mode-excludes': { mode: Value; off: Value }
  'chat-mode-without': { files: Value }
  'chat-mode-without-cards': None
  'chat-modes-lost': { modes: Value }
  'chat-new': None
  'chat-no-file': { kind: Value; max: Value }
  'chat-not-taken': { cannot: Value; model: Value; models: Value }
  'chat-not-taken-mode': { cannot: Value; model: Value; modes: Value }
  'chat-not-written': None
  'chat-not-yours': None
  'chat-not-yours-to-change': None
  'chat-nothing-to-retry': None
  'chat-off': None
  'chat-paused': None
  'chat-payer': { amount: Value; name: Value }
  'chat-picture-format': None
  'chat-picture-lost': None
  'chat-proposes': None
  'chat-settings-group': None
  'chat-sound-format': None
  'chat-sources': None
  'chat-stopped': None
  'chat-stopping': None
  'chat-thinking': None
  'chat-too-long': { kind: Value; max: Value }
  'chat-unpaid': None
  'chat-unpriced': None
  'chat-unread-image': None
  'chat-unread-other': None
  'chat-unread-sound': None
  'chat-unread-video': None
  'chat-unreadable': None
  'chat-writing': None
  'checkout-already-paid': None
  'checkout-foreign': None
  'checkout-off': None
  'checkout-outdated': None
  'checkout-unavailable': None
  'checkout-unknown': None
  'checkout-wrong-amount': None
  'code-until': { until: Value }
  'command-balance': None
  'command-cancel': None
  'command-chat': None
  'command-dialogue': None
  'command-help': None
  'command-history': None
  'command-ideas': None
  'command-image': None
  'command-model3d': None
  'command-music': None
  'command-new': None
  'command-persona': None
  'command-prices': None
  'command-settings': None
  'command-speech': None
  'command-video': None
  'command-wallet': None
  'consent-again': None
  'consent-given': None
  'consent-known': { version: Value }
  'consent-question': None
  'contact-support': None
  'creativity-exact': None
  'creativity-free': None
  'creativity-usual': None
  'csv-amount': None
  'csv-balance': None
  'csv-change': None
  'csv-date': None
  'csv-held': None
  'csv-model': None
  'csv-note': None
  'csv-order': None
  'csv-top-up': None
  'csv-what': None
  'database-away': { minutes: Value; role: Value; why: Value }
  'database-back': { minutes: Value; role: Value }
  'default-usual-model': None
  'default-usual-shape': None
  'depth-long': None
  'depth-short': None
  'depth-usual': None
  'describe-picture': None
  'document-uses': { length: number }
  'enough': { things: Value }
  'enough-image': { count: number }
  'enough-video': { count: number }
  'example-image': None
  'example-speech': None
  'example-video': None
  'export': None
  'failure-empty': None
  'failure-late': None
  'failure-lost': None
  'failure-no-file': None
  'failure-no-voice': None
  'failure-paused': None
  'failure-refused': None
  'failure-task-canceled': None
  'failure-task-ended': None
  'failure-task-failed': None
  'failure-too-large': None
  'failure-unavailable': None
  'failure-withdrawn': None
  'favourite-now-off': None
  'favourite-now-on': None
  'field-animation': None
  'field-another-style': None
  'field-answer-with-a-task': None
  'field-audio-weight': None
  'field-bitrate-bps': None
  'field-callback-address': None
  'field-channels': None
  'field-characters-and-references': None
  'field-collage': None
  'field-compression-quality': None
  'field-content-check': None
  'field-continue-a-video': None
  'field-continue-my-video': None
  'field-controls': None
  'field-depth-of-the-check': None
  'field-duration': None
  'field-effects': None
  'field-emotion': None
  'field-exact-size': None
  'field-extend-the-prompt': None
  'field-faces': None
  'field-file-format': None
  'field-first-frame': None
  'field-form-of-the-answer': None
  'field-format': None
  'field-frames': None
  'field-frames-between': None
  'field-geometry': None
  'field-height': None
  'field-language': None
  'field-last-frame': None
  'field-lead-to-my-video': None
  'field-loop': None
  'field-lyrics': None
  'field-manner-of-speech': None
  'field-mesh': None
  'field-mode': None
  'field-motion-number': None
  'field-my-own-lyrics': None
  'field-no-vocals': None
  'field-normalize-english-words': None
  'field-number-of-faces': None
  'field-own-style': None
  'field-own-style-and-title': None
  'field-pbr-materials': None
  'field-people': None
  'field-persona': None
  'field-persona-use': None
  'field-pictures': None
  'field-pitch': None
  'field-pose': None
  'field-prompt': None
  'field-pronunciation': None
  'field-proportions': None
  'field-rebuild-the-mesh': None
  'field-reference-pictures': None
  'field-reference-videos': None
  'field-resolution': None
  'field-rigging': None
  'field-sample-rate-hz': None
  'field-second-voice': None
  'field-seed': None
  'field-sharpness': None
  'field-shots': None
  'field-size': None
  'field-song': None
  'field-sound': None
  'field-sound-effect': None
  'field-speaker-voice': None
  'field-speed': None
  'field-streaming': None
  'field-style': None
  'field-style-weight': None
  'field-subtitles': None
  'field-symmetry': None
  'field-text': None
  'field-text-or-dialogue': None
  'field-texture-prompt': None
  'field-texture-sample': None
  'field-timbre': None
  'field-title': None
  'field-upload-address': None
  'field-variants': None
  'field-video-as-an-example': None
  'field-vocals': None
  'field-voice': None
  'field-voice-depth': None
  'field-voice-effects': None
  'field-voice-intensity': None
  'field-voice-timbre': None
  'field-volume': None
  'field-weirdness': None
  'field-what-to-avoid': None
  'field-words-not-sung': None
  'field-your-own-sound': None
  'file-ask-audio': None
  'file-ask-image': None
  'file-ask-pdf': None
  'file-ask-video': None
  'file-forgotten': None
  'file-kept': { label: Value }
  'file-not-taken': { command: Value; kind: Value }
  'file-uses': None
  'files-audio': None
  'files-image': None
  'files-pdf': None
  'files-video': None
  'first-file-only': None
  'foreign-button': None
  'forget-banned': { contact: Value }
  'forget-gone': None
  'forget-kept': None
  'forget-live': None
  'forget-paying': None
  'forget-paying-line': { amount: Value; until: Value }
  'forget-paying-then': None
  'forget-refunding': { contact: Value }
  'forget-stale': None
  'forgotten': None
  'format-json': None
  'format-usual': None
  'frame-first': None
  'frame-last': None
  'genre-ballad': None
  'genre-electronic': None
  'genre-folk': None
  'genre-hip-hop': None
  'genre-jazz': None
  'genre-lullaby': None
  'genre-pop': None
  'genre-rock': None
  'guide-done': None
  'guide-model': { about: Value; name: Value }
  'guide-next': { value: Value }
  'guide-next-plain': None
  'guide-reply': None
  'guide-send-file': None
  'guide-skip': None
  'guide-skip-default': { value: Value }
  'guide-toggle-off': None
  'guide-toggle-on': None
  'guide-words-off': None
  'guide-words-on': None
  'guide-words-square': None
  'guide-words-tall': None
  'guide-words-wide': None
  'guide-write': None
  'help-balance': None
  'help-chat': None
  'help-chat-group': { bot: Value }
  'help-dialogue': None
  'help-ideas': None
  'help-image': None
  'help-model3d': None
  'help-music': None
  'help-persona': None
  'help-speech': None
  'help-topup': None
  'help-video': None
  'hint-3d-animation-action-id': None
  'hint-3d-enable-animation': None
  'hint-3d-enable-pbr': None
  'hint-3d-enable-rigging': None
  'hint-3d-geometry-resolution': None
  'hint-3d-mode': None
  'hint-3d-mode-priced': { least: Value; most: Value }
  'hint-3d-pose-mode': None
  'hint-3d-prompt': None
  'hint-3d-rigging-height-meters': None
  'hint-3d-target-polycount': None
  'hint-3d-texture-image': None
  'hint-3d-texture-prompt': None
  'hint-design-exact-size': None
  'hint-design-other-style': None
  'hint-design-own-style': None
  'hint-design-pictures': None
  'hint-design-prompt': None
  'hint-dialogue-manner': None
  'hint-dialogue-script': None
  'hint-dialogue-second-voice': None
  'hint-dialogue-voice': None
  'hint-dream-concepts': None
  'hint-dream-continue-my-video': None
  'hint-dream-first-frame': None
  'hint-dream-last-frame': None
  'hint-dream-lead-to-my-video': None
  'hint-dream-loop': None
  'hint-dream-prompt': None
  'hint-music-lyrics': None
  'hint-music-negative-tags': None
  'hint-music-not-sung': None
  'hint-music-persona-id': None
  'hint-music-prompt': None
  'hint-music-style': None
  'hint-music-style-weight': None
  'hint-music-title': None
  'hint-music-weirdness': None
  'hint-photo-person-generation': None
  'hint-photo-pictures': None
  'hint-photo-prompt': None
  'hint-reel-collage': None
  'hint-reel-continue-video': None
  'hint-reel-duration': None
  'hint-reel-example-video': None
  'hint-reel-frames': None
  'hint-reel-prompt': None
  'hint-reel-prompt-extend': None
  'hint-reel-references': None
  'hint-reel-voice': None
  'hint-seed': None
  'hint-speech-adjustment': None
  'hint-speech-effects': None
  'hint-speech-english-normalization': None
  'hint-speech-format': None
  'hint-speech-language': None
  'hint-speech-pitch': None
  'hint-speech-pronunciation': None
  'hint-speech-sound-effect': None
  'hint-speech-speed': None
  'hint-speech-subtitles': None
  'hint-speech-text': None
  'hint-speech-voice': None
  'hint-speech-volume': None
  'hint-video-size': None
  'hint-video-variants': None
  'hint-voice-unlisted': None
  'hint-wan-duration': None
  'hint-wan-frames': None
  'hint-wan-own-sound': None
  'hint-wan-prompt': None
  'hint-wan-prompt-enhancer': None
  'hint-wan-reference-images': None
  'hint-wan-reference-videos': None
  'hint-wan-what-to-avoid': None
  'history-all-hidden': None
  'history-away': { away: number }
  'history-being-sent': None
  'history-canceled': None
  'history-coming': None
  'history-done': None
  'history-failed': None
  'history-filter-all': None
  'history-filter-audio': None
  'history-filter-done': None
  'history-filter-failed': None
  'history-filter-favourite': None
  'history-filter-hidden': None
  'history-filter-image': None
  'history-filter-object3d': None
  'history-filter-video': None
  'history-filters': None
  'history-foreign': None
  'history-gone': { gone: number }
  'history-late': None
  'history-no-album': None
  'history-no-favourites': None
  'history-none': { what: Value }
  'history-now-hide': None
  'history-now-show': None
  'history-partly': None
  'history-refunded': None
  'history-sending': None
  'history-undelivered': None
  'history-unknown': None
  'history-working': None
  'idea-off': None
  'idea-on': None
  'idea-with-result': { title: Value }
  'ideas-image': None
  'ideas-model3d': None
  'ideas-music': None
  'ideas-nothing': None
  'ideas-speech': None
  'ideas-video': None
  'inline-about': { date: Value; model: Value }
  'inline-nothing-found': None
  'inline-nothing-yet': None
  'invite-came': { came: Value; earned: Value; waiting: Value }
  'invite-without-bonus': { link: Value }
  'invoice-description': { credit: Value }
  'invoice-description-bonus': { bonus: Value; credit: Value }
  'invoice-label': { credit: Value }
  'invoice-title': None
  'label-whose': { label: Value; name: Value }
  'language-Afrikaans': None
  'language-Arabic': None
  'language-Bulgarian': None
  'language-Cantonese': None
  'language-Catalan': None
  'language-Chinese': None
  'language-Croatian': None
  'language-Czech': None
  'language-Danish': None
  'language-Dutch': None
  'language-English': None
  'language-Filipino': None
  'language-Finnish': None
  'language-French': None
  'language-German': None
  'language-Greek': None
  'language-Hebrew': None
  'language-Hindi': None
  'language-Hungarian': None
  'language-Indonesian': None
  'language-Italian': None
  'language-Japanese': None
  'language-Korean': None
  'language-Malay': None
  'language-Norwegian': None
  'language-Nynorsk': None
  'language-Persian': None
  'language-Polish': None
  'language-Portuguese': None
  'language-Romanian': None
  'language-Russian': None
  'language-Slovak': None
  'language-Slovenian': None
  'language-Spanish': None
  'language-Swedish': None
  'language-Tamil': None
  'language-Thai': None
  'language-Turkish': None
  'language-Ukrainian': None
  'language-Vietnamese': None
  'language-auto': None
  'length-long': None
  'length-short': None
  'length-usual': None
  'letter-sent': None
  'letter-too-long': None
  'letter-unreachable': None
  'like-shared': None
  'lost-forbidden': None
  'lost-gone': None
  'lost-line': { why: Value }
  'lost-line-numbered': { numbers: Value; why: Value }
  'lost-not-a-file': None
  'lost-refused': None
  'lost-unavailable': None
  'medium-audio': None
  'medium-image': None
  'medium-video': None
  'missing-with-debt': { missing: Value; owed: Value }
  'mode-code': None
  'mode-search': None
  'mode-thinking': None
  'model-3d': None
  'model-design': None
  'model-dialogue': None
  'model-dream': None
  'model-english-only': { name: Value }
  'model-music': None
  'model-photo': None
  'model-reel': None
  'model-replaced': { name: Value; off: Value }
  'model-speech': None
  'model-wan': None
  'moscow-time': { time: Value }
  'news-off': None
  'news-on': None
  'next-animate': None
  'next-extend': None
  'next-last-frame': None
  'next-sound': None
  'next-talk': None
  'next-texture': None
  'next-voice': None
  'no-contact': None
  'offer-not-taken': { cannot: Value; model: Value }
  'offer-not-taken-mode': { cannot: Value; model: Value; modes: Value }
  'option-1080p-auto': None
  'option-480p-auto': None
  'option-5-s': None
  'option-720p-auto': None
  'option-9-s': None
  'option-a-pose': None
  'option-adults': None
  'option-adults-and-children': None
  'option-angry': None
  'option-any': None
  'option-auto': None
  'option-disgusted': None
  'option-fearful': None
  'option-female': None
  'option-full': None
  'option-happy': None
  'option-icon': None
  'option-illustration': None
  'option-male': None
  'option-mono': None
  'option-neutral': None
  'option-nobody': None
  'option-off': None
  'option-on': None
  'option-one-shot': None
  'option-preview': None
  'option-quads': None
  'option-realistic': None
  'option-sad': None
  'option-several-shots': None
  'option-smart': None
  'option-standard': None
  'option-stereo': None
  'option-style': None
  'option-surprised': None
  'option-t-pose': None
  'option-triangles': None
  'option-vector': None
  'option-voice': None
  'option-with-vocals': None
  'option-without-vocals': None
  'order-committed': None
  'order-daily-cap': { left: Value; most: Value; spent: Value }
  'order-member-unknown': None
  'order-not-member': None
  'order-payer-changed': None
  'order-too-many': { most: number }
  'order-wallet-cap': { left: Value; most: Value }
  'order-wallet-off': None
  'order-wallet-short': None
  'order-withdrawn': None
  'ordered': None
  'ordered-already': None
  'originals-away': { away: number }
  'originals-coming': None
  'originals-gone': { gone: number }
  'other-content': None
  'parameters-prompt-changed': None
  'parameters-taken': { settings: Value }
  'payer-answers': None
  'payer-orders-own': None
  'payer-orders-wallet': None
  'payer-own': None
  'payer-wallet': None
  'pdf-uses': { pages: number }
  'persona-name-cook': None
  'persona-name-editor': None
  'persona-name-friend': None
  'persona-name-programmer': None
  'persona-name-teacher': None
  'persona-name-translator': None
  'persona-none': None
  'persona-text-cook': None
  'persona-text-editor': None
  'persona-text-friend': None
  'persona-text-programmer': None
  'persona-text-teacher': None
  'persona-text-translator': None
  'persona-too-long': { length: number; max: Value }
  'picture-in-3d': None
  'picture-not-edited': None
  'picture-use-ask': None
  'picture-use-like': None
  'picture-use-model3d': None
  'picture-use-talk': { amount: Value; seconds: Value }
  'picture-use-video': None
  'preset-defaults': None
  'preset-name': { max: Value }
  'preset-saved': { name: Value }
  'preset-too-many': { most: Value }
  'presets-none': None
  'price-character': { per: Value; quantity: Value; rate: Value }
  'price-image': { rate: Value }
  'price-minimum-character': { quantity: number }
  'price-minimum-image': { quantity: number }
  'price-minimum-request': { quantity: number }
  'price-minimum-second': { quantity: number }
  'price-request': { rate: Value }
  'price-rounded': { step: Value }
  'price-second': { quantity: Value; rate: Value }
  'price-text-length': { length: number }
  'price-with-speech': { own: Value; speech: Value }
  'prices-answer': { amount: Value; name: Value }
  'prices-characters': { amount: Value; name: Value }
  'prices-chat': None
  'prices-from': { amount: Value; name: Value }
  'prices-nothing': None
  'prices-unknown': { name: Value }
  'private-answered': None
  'private-first': None
  'private-only-short': None
  'problem-ask': None
  'problem-broken': None
  'problem-not-asked': None
  'problem-quality': None
  'problem-words': None
  'profile-chat': None
  'profile-gift': { amount: Value }
  'profile-promise': None
  'profile-short': { things: Value }
  'profile-what': { things: Value }
  'promo': None
  'promo-expired': None
  'promo-returned': None
  'promo-too-many': { most: Value }
  'promo-unknown': None
  'promo-used-up': None
  'provider-cryptopay': None
  'provider-platega': None
  'provider-stars': None
  'provider-telegram-rub': None
  'provider-yookassa': None
  'question-closed': None
  'question-closed-before': None
  'quote-outdated': None
  'receipt-charged': { amount: Value }
  'receipt-charged-of': { amount: Value; parts: Value }
  'receipt-delivered': { time: Value }
  'receipt-ended': { time: Value }
  'receipt-item': None
  'receipt-made': { time: Value }
  'receipt-ordered': { time: Value }
  'receipt-refunded': { amount: Value }
  'receipt-report-declined': None
  'receipt-report-open': None
  'receipt-report-refunded': None
  'receipt-returned': { amount: Value }
  'receipt-seed': { seeds: Value }
  'receipt-wallet': None
  'refund-by-report': None
  'refund-lost': None
  'refund-refused': None
  'refund-unsent': None
  'refusal-bad-format': { hint: Value }
  'refusal-bad-frame': None
  'refusal-below-least': { min: Value }
  'refusal-empty': None
  'refusal-file-too-large': { max: Value }
  'refusal-file-too-long': { max: number }
  'refusal-files-do-not-fit': { hint: Value }
  'refusal-link-not-media': None
  'refusal-link-not-public': None
  'refusal-link-unreachable': None
  'refusal-needs-address': None
  'refusal-needs-audio': None
  'refusal-needs-english': None
  'refusal-needs-image': None
  'refusal-needs-link': None
  'refusal-needs-video': None
  'refusal-not-a-file': None
  'refusal-not-a-number': { hint: Value }
  'refusal-not-an-option': None
  'refusal-not-whole': None
  'refusal-one-link': None
  'refusal-out-of-range': { max: Value; min: Value; value: Value }
  'refusal-picture-format': None
  'refusal-too-few-pixels': { min: Value }
  'refusal-too-long': { length: number; max: Value }
  'refusal-too-many-files': { max: number }
  'refusal-too-many-speakers': { names: Value }
  'refusal-too-many-tokens': { max: Value; tokens: Value }
  'refusal-too-many-turns': { length: Value; max: Value }
  'refusal-unclear-number': None
  'report-again': { length: Value; max: Value }
  'report-ask': { max: Value }
  'report-before': None
  'report-sent': None
  'result-caption-late': { title: Value }
  'result-link': { url: Value }
  'result-lost-free': { files: number; late: Value; lost: Value; reasons: Value; sent: Value; title: Value }
  'result-numbers': None
  'result-too-large': { url: Value }
  'rewrite-cost': { amount: Value }
  'rewrite-describe': None
  'rewrite-failed': None
  'rewrite-improve': None
  'rewrite-late': { amount: Value }
  'rewrite-lyrics': None
  'rewrite-needs-english': { name: Value }
  'rewrite-own': None
  'rewrite-runs': None
  'rewrite-shorten': None
  'rewrite-too-long': { length: number; max: Value }
  'rewrite-translate': None
  'rewrite-unfit': { amount: Value }
  'sales-maintenance': None
  'sales-paused': None
  'sample-gone': None
  'samples-animation': None
  'samples-dialogue': None
  'settings': None
  'settings-default-saved': None
  'settings-reset': None
  'settings-saved': None
  'settings-taken': None
  'share-hint': None
  'short-alert': { missing: Value }
  'short-in-group': { name: Value }
  'short-in-group-chat': { name: Value }
  'similar-command': { command: Value }
  'sound-or-words': None
  'spoken-question': None
  'spoken-words': { words: Value }
  'stale-button': None
  'stale-card': None
  'stale-option': None
  'stale-result': None
  'start': { name: Value }
  'start-chat': None
  'start-group': { name: Value; things: Value }
  'start-undelivered': { count: number }
  'statement-answer': { name: Value }
  'statement-answers': { answers: number }
  'statement-bonus': None
  'statement-bonus-back': None
  'statement-capture': None
  'statement-charged': { amount: Value; available: Value; date: Value; what: Value }
  'statement-deposit': None
  'statement-empty': None
  'statement-fund': None
  'statement-given': None
  'statement-hold': None
  'statement-invited': None
  'statement-model-gone': None
  'statement-order': { name: Value }
  'statement-promo': None
  'statement-referral': None
  'statement-referral-back': None
  'statement-refund-order': None
  'statement-refund-payment': None
  'statement-release': None
  'statement-take-back': None
  'statement-taken': None
  'statement-welcome': None
  'status': { state: Value; title: Value }
  'status-accepted': { amount: Value }
  'status-accepted-wallet': { amount: Value }
  'status-audio': None
  'status-done': { charged: Value; elapsed: Value }
  'status-done-partly': { back: Value; charged: Value; elapsed: Value }
  'status-failed': { amount: Value }
  'status-failed-wallet': { amount: Value }
  'status-image': None
  'status-late': None
  'status-object3d': None
  'status-other': None
  'status-queued': None
  'status-ready': None
  'status-sending': { elapsed: Value }
  'status-sending-again': None
  'status-undelivered': { charged: Value }
  'status-unknown': { amount: Value }
  'status-unknown-wallet': { amount: Value }
  'status-video': None
  'status-withdrawn': { amount: Value }
  'status-withdrawn-wallet': { amount: Value }
  'style-made': { name: Value }
  'style-name': { max: Value }
  'style-pictures': { max: Value }
  'style-refused': None
  'style-unavailable': None
  'style-under-way': None
  'suggested-leave': None
  'suggested-own': None
  'suggested-show': None
  'suggested-take': None
  'support-here': None
  'support-sent': None
  'support-slow': None
  'support-too-long': { length: Value; max: Value }
  'support-unreached': None
  'thing-dialogue': None
  'thing-image': None
  'thing-model3d': None
  'thing-music': None
  'thing-speech': None
  'thing-video': None
  'told-declined': None
  'told-declined-contact': { contact: Value }
  'told-unban': None
  'too-fast': None
  'topic-alarms': None
  'topic-newcomers': None
  'topic-payments': None
  'topic-reports': None
  'topup-amount-refused': { amount: Value }
  'topup-how': { amount: Value }
  'topup-link-unavailable': None
  'topup-not-paid': { credit: Value }
  'topup-off': None
  'topup-out-of-range': { amount: Value; max: Value; min: Value }
  'topup-refunded': { balance: Value; credit: Value }
  'topup-refunded-because': { balance: Value; credit: Value; reason: Value }
  'topup-step': { from: Value; percent: Value }
  'topup-steps': { steps: Value }
  'topup-too-many-links': { most: Value }
  'topup-unmatched': None
  'track-of': { count: Value; number: Value; title: Value }
  'typed-no-value': None
  'typed-on-foreign-card': None
  'under-way-answer': { amount: Value; number: Value }
  'unfit-needs-english': { name: Value }
  'unfit-other': { name: Value }
  'unfit-too-long': { length: number; max: Value }
  'unfit-too-many-speakers': { names: Value }
  'unfit-too-many-tokens': { max: Value; offer: Value; tokens: Value }
  'unfit-too-many-turns': { length: Value; max: Value }
  'unit-metres': None
  'unit-seconds': None
  'unknown-command': None
  'use-animate': None
  'use-change': None
  'use-dialogue': None
  'use-frames': { count: number }
  'use-image': None
  'use-model3d': None
  'use-music': None
  'use-references': None
  'use-speech': None
  'use-talk': None
  'use-video': None
  'voice-unheard': None
  'voice-uses': None
  'waiting-outage-held': { amount: Value; elapsed: Value; payer: Value; since: Value; until: Value }
  'waiting-outage-running': { amount: Value; elapsed: Value; payer: Value; since: Value; until: Value }
  'waiting-place': { ahead: Value }
  'waiting-slow': { amount: Value; payer: Value; until: Value }
  'waiting-soon': None
  'waiting-usual': { minutes: number }
  'waiting-voice': None
  'wallet-cap': { cap: Value }
  'wallet-emptied': { amount: Value }
  'wallet-filled': { amount: Value }
  'wallet-held': { held: Value }
  'wallet-member': { name: Value; orders: number; spent: Value }
  'wallet-members': { days: Value }
  'wallet-no-cap': None
  'wallet-nobody': { days: Value }
  'wallet-none': None
  'wallet-not-admin': None
  'wallet-not-admin-now': None
  'wallet-not-chat': None
  'wallet-other': None
  'wallet-own': { available: Value }
  'wallet-settings': None
  'wallet-who-changes': None
  'wallets': None
  'wallets-none': None
  'went-wrong': None
  'without-dialogue': None
  'without-image': None
  'without-model3d': None
  'without-music': None
  'without-speech': None
  'without-video': None
  'words-beside-card': None
  'words-beside-file': None
  'words-beside-forget': None
  'words-beside-history': None
  'words-beside-persona': None
  'words-beside-presets': None
  'words-beside-result': None
  'words-beside-settings': None
  'words-beside-wallet': None
  'words-beside-ways': None
  'words-now-answer': None
  'words-now-ask': None
  'words-please': None
}

/** Texts with HTML, with the values that are put into them: for messages only. */
export interface HtmlTexts {
  'admin-accounting': { days: number; first: Value; last: Value; lines: Value; zone: Value }
  'admin-amount-and-reason': { start: Value; verb: Value }
  'admin-ask-answer': { name: Value }
  'admin-ask-ban': { name: Value }
  'admin-ask-broadcast-button': None
  'admin-ask-broadcast-days': None
  'admin-ask-broadcast-source': { names: Value }
  'admin-ask-broadcast-time': { zone: Value }
  'admin-ask-debit': { name: Value }
  'admin-ask-grant': { name: Value }
  'admin-ask-message': { name: Value }
  'admin-ask-refund': { id: Value }
  'admin-ask-unban': { name: Value }
  'admin-ban-set': { name: Value; verb: Value }
  'admin-broadcast': { id: Value; state: Value; to: Value }
  'admin-broadcast-no-button': None
  'admin-broadcast-no-time': None
  'admin-confirm-ban': { name: Value; reason: Value }
  'admin-confirm-debit': { amount: Value; name: Value; reason: Value }
  'admin-confirm-decline': { name: Value }
  'admin-confirm-grant': { amount: Value; name: Value; reason: Value }
  'admin-confirm-message': { name: Value; words: Value }
  'admin-confirm-model-off': { name: Value }
  'admin-confirm-promo': { amount: Value; code: Value; most: Value; until: Value; uses: number }
  'admin-confirm-promo-end': { amount: Value; code: Value; most: Value; uses: Value }
  'admin-confirm-refund': { amount: Value; before: Value; id: Value; left: Value; name: Value; reason: Value }
  'admin-confirm-refund-payment': { amount: Value; before: Value; id: Value; name: Value; part: Value; provider: Value; reason: Value }
  'admin-confirm-unban': { name: Value; reason: Value }
  'admin-corrected': { amount: Value; available: Value; name: Value; verb: Value }
  'admin-corrected-before': { amount: Value; available: Value; name: Value; verb: Value }
  'admin-figures': { cost: Value; days: number; first: Value; last: Value; margin: Value; media: Value; refunds: Value; revenue: Value; sales: Value; share: Value; text: Value; zone: Value }
  'admin-figures-owed': { available: Value; before: Value; debits: Value; grants: Value; groups: Value; held: Value; now: Value; paymentRefunds: Value; promotions: Value; refunds: Value; sales: Value; topUps: Value }
  'admin-message-usage': { start: Value }
  'admin-nobody-chosen': { verb: Value }
  'admin-nobody-found': { query: Value }
  'admin-order': { amount: Value; back: Value; id: Value; model: Value; reason: Value; state: Value; time: Value }
  'admin-order-details': { provider: Value; results: Value; seeds: Value; task: Value }
  'admin-payment': { back: Value; charge: Value; credit: Value; provider: Value; state: Value; time: Value }
  'admin-promo-added': { amount: Value; code: Value; uses: number }
  'admin-promo-end-usage': None
  'admin-promo-ended': { code: Value }
  'admin-promo-exists': { code: Value }
  'admin-promo-not-running': { code: Value }
  'admin-promo-usage': None
  'admin-reason': { start: Value }
  'admin-refund-part-by-hand': { amount: Value }
  'admin-refund-reason': None
  'admin-refund-takes-bonus': { amount: Value }
  'admin-refund-takes-own': { amount: Value }
  'admin-refund-usage': { verb: Value }
  'admin-refunded': { amount: Value; id: Value }
  'admin-source-link': { link: Value }
  'admin-sources': { days: number; first: Value; last: Value; lines: Value; zone: Value }
  'admin-sources-line': { came: Value; margin: Value; ofNew: Value; ordered: Value; paid: Value; refunds: Value; revenue: Value; source: Value; topUps: Value }
  'admin-summary': { came: Value; ended: Value; failed: Value; last: Value; margin: Value; ordered: Value; paid: Value; refunds: Value; revenue: Value; topUps: Value; zone: Value }
  'admin-support': { left: Value }
  'admin-switches': None
  'admin-tax-receipt': { amount: Value; said: Value; state: Value; url: Value }
  'admin-user': { available: Value; failures: Value; held: Value; id: Value; name: Value; orders: Value; paid: Value; since: Value; spent: Value; telegram: Value; username: Value }
  'alarm-begins': { detail: Value; fact: Value; kind: Value; since: Value }
  'alarm-lasts': { detail: Value; fact: Value; kind: Value; since: Value }
  'alarm-model': { model: Value }
  'alarm-over': { fact: Value; kind: Value; since: Value }
  'alarm-server': { said: Value }
  'ask': { hint: Value; label: Value }
  'ask-audio': { hint: Value; label: Value }
  'ask-corrected': { label: Value; why: Value }
  'ask-image': { hint: Value; label: Value }
  'ask-video': { hint: Value; label: Value }
  'ask-was': { was: Value }
  'balance': { available: Value }
  'balance-owed': { owed: Value }
  'bonus-given': { balance: Value; bonus: Value }
  'bonus-refunded': { balance: Value; bonus: Value }
  'card-incomplete': { how: Value; label: Value }
  'card-models': None
  'card-more-settings': None
  'card-owner': { name: Value }
  'card-owner-wallet': { name: Value }
  'card-presets': None
  'card-price': { amount: Value }
  'card-price-of': { amount: Value; parts: Value }
  'card-title': { command: Value; name: Value }
  'chat-first': None
  'chat-how-group': { bot: Value }
  'chat-model-off': { model: Value }
  'chat-not-enough': { missing: Value }
  'chat-settings': { answers: number; model: Value; persona: Value; spent: Value }
  'chat-settings-price': { amount: Value; input: Value; output: Value }
  'chat-short': { missing: Value }
  'code-adds': { code: Value; most: Value; percent: Value }
  'consent': None
  'email-ask': None
  'email-bad': None
  'failure': { amount: Value; reason: Value; title: Value }
  'failure-said': { said: Value }
  'failure-wallet': { amount: Value; reason: Value; title: Value }
  'forget': None
  'forget-balance': { available: Value; contact: Value; where: Value }
  'forget-owing': { contact: Value; owed: Value }
  'forget-really': None
  'help': { commands: Value; money: Value }
  'help-group': { commands: Value; payers: Value }
  'history': { shown: Value; total: Value }
  'history-empty': None
  'history-entry': { amount: Value; date: Value; model: Value; number: Value; prompt: Value; star: Value; state: Value }
  'idea-prompt': { prompt: Value }
  'ideas': { kind: Value }
  'invite': { bonus: Value; link: Value }
  'invite-friend': { bonus: Value }
  'invite-paid': { bonus: Value }
  'invite-percent': { percent: Value }
  'invite-percent-first': { payments: number; percent: Value }
  'invite-refunded': { balance: Value; bonus: Value }
  'legal-paysupport': { contact: Value }
  'legal-privacy': { contact: Value }
  'legal-support': { contact: Value }
  'legal-terms': { contact: Value }
  'letter': { words: Value }
  'letter-file': None
  'news': { amount: Value; by: Value; name: Value; topic: Value }
  'not-enough': { missing: Value }
  'persona-ask': { max: Value }
  'persona-told': { text: Value }
  'personas': None
  'picture-uses': { lines: Value }
  'plain-talk': None
  'preset-title': { model: Value; name: Value }
  'presets': None
  'prices': { lines: Value }
  'promo-done': { amount: Value; balance: Value }
  'promo-used-before': { amount: Value; balance: Value }
  'promo-waiting': { code: Value }
  'receipt-details': { lines: Value }
  'receipt-id': { id: Value }
  'receipt-task': { task: Value }
  'report-to-operator': { said: Value; user: Value }
  'result-lost': { amount: Value; files: number; lost: Value; reasons: Value; sent: Value; title: Value }
  'result-lost-wallet': { amount: Value; files: number; lost: Value; reasons: Value; sent: Value; title: Value }
  'settings-private': None
  'share-caption': { bot: Value; link: Value }
  'start-chat-group': { bot: Value }
  'start-example': { command: Value; prompt: Value }
  'start-gift': { amount: Value; things: Value }
  'statement': { shown: Value; total: Value }
  'statement-line': { available: Value; change: Value; date: Value; what: Value }
  'suggested-improve': None
  'suggested-lyrics': None
  'support-orders': None
  'support-person': { at: Value; language: Value; profile: Value }
  'tax-receipt': { amount: Value; url: Value }
  'told-debit': { amount: Value; balance: Value; reason: Value }
  'told-grant': { amount: Value; balance: Value; reason: Value }
  'told-refund': { amount: Value; reason: Value; title: Value }
  'told-refund-wallet': { amount: Value; reason: Value; title: Value }
  'topup-amounts': { max: Value; min: Value }
  'topup-bonus': { bonus: Value }
  'topup-done': { balance: Value; credit: Value }
  'topup-done-bonus': { balance: Value; bonus: Value; credit: Value }
  'topup-link': { credit: Value; provider: Value }
  'topup-link-receipt': { credit: Value; email: Value }
  'topup-not-an-amount': { max: Value; min: Value }
  'under-way-held': { amount: Value; number: Value; title: Value }
  'under-way-running': { amount: Value; number: Value; title: Value; until: Value }
  'wallet-caps': { title: Value }
  'wallet-fund': { title: Value }
  'wallet-of-group': { owner: Value }
  'wallet-off': { title: Value }
  'wallet-off-notice': { rest: Value }
  'wallet-offer': None
  'wallet-on': { title: Value }
  'wallet-opened': { name: Value }
  'wallet-rest': { available: Value }
  'wallet-short': { missing: Value }
  'words-beside-caps': None
}

/** Texts without HTML and values. */
export type BareKey = {
  [K in keyof PlainTexts]: keyof PlainTexts[K] extends never ? K : never
}[keyof PlainTexts]
