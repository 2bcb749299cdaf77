// Masks what words of the gateway must not carry into chats, tables and logs: addresses (signed file links, callback and upload addresses,
// pages of the operator's account), e-mail addresses, keys and tokens. The rules know nothing of the request, since the words about a task
// come long after it.

/** A character inside an address, and one that may end it: punctuation after an address belongs to the sentence. */
const [inside, last] = [`[^\\s"'<>«»“”]`, `[^\\s"'<>«»“”.,;:!?)\\]}]`]
const label = '[\\p{L}\\d](?:[\\p{L}\\d-]*[\\p{L}\\d])?'
/** A bare name of a host is an address only with an ending that no field or file has: `input.to` and `settings.audio` are fields. */
const usualEndings = 'com|net|org|io|ru|su|рф'

const addresses = [
  /** Any scheme, also inside other text: `https://…`, `tg://…`. */
  `[a-z][a-z\\d+.-]*:(?:\\\\?/){2}(?:${inside}*${last})?`,
  `data:[^\\s,]{0,200},(?:${inside}*${last})?`,
  `[\\p{L}\\d._+-]+(?:@|%40)[\\p{L}\\d-]+(?:\\.[\\p{L}\\d-]+)*`,
  /** A host with a port, a path or a query. */
  `(?:${label}\\.)+[\\p{L}][\\p{L}\\d-]+(?::\\d{1,5}|\\\\?[/#]|\\?[\\w%])(?:${inside}*${last})?`,
  `(?:localhost|\\d{1,3}(?:\\.\\d{1,3}){3}|\\[[\\da-f:]+\\])(?::\\d{1,5})?(?:[/?#](?:${inside}*${last})?)?`,
  `www\\.${inside}*${last}`,
  `(?:${label}\\.)+(?:${usualEndings})(?![\\p{L}\\d-])`,
]
const secrets = [
  `[\\w-]*(?:key|token|secret|signature|sig|password)=[\\w*/+%.-]{4,}`,
  `[\\w-]*(?:key|token|secret|signature|password|policy|credential)["']?\\s?[:=]\\s?["']?(?=\\S*\\d)[\\w*/+%.-]{8,}`,
  `(?:sk|pk|rk|hf)[-_][\\w*-]{8,}`,
  /** A token of a bot. */
  `\\d{6,}:[\\w-]{8,}`,
  `bearer\\s+${inside}{6,}`,
]

const masks = new RegExp([...addresses, ...secrets].join('|'), 'giu')

/** Long runs of letters and digits that nobody writes by hand: a name like `StableDiffusionXL1024v1` has its digits in few places. */
const runs = /[A-Za-z0-9]{16,}/g
const isSecret = (run: string): boolean =>
  /[A-Za-z]/.test(run) && /\d/.test(run) && (run.length >= 28 || (run.match(/\d+/g) ?? []).length > 2)

export const masked = (text: string): string =>
  text.replaceAll(masks, '***').replaceAll(runs, (run) => (isSecret(run) ? '***' : run))
