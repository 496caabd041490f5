// cspell:disable
/** Lines that introduce the quoted email in several languages, with the name and the time of its sender. */
const INTRODUCTIONS = [
  /^(?:On|Am|Le|El|Em|Il|Op|Den|Dne|W dniu|В|Вт|Пн|Ср|Чт|Пт|Сб|Вс)(?=[\s,]).{5,300}(?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto|schreef|skrev|napsal\(a\)|pisze|написал(?:\(а\))?|пишет)\s?:?$/iu,
  /^Am .{5,100} schrieb .{1,200}:$/u,
  /^\d{4}[-/年].{5,200}[:：]$/u,
  /^.{1,200}<[^<>\s]{3,254}>.{0,40}(?:wrote|schrieb|a écrit|написал(?:\(а\))?)\s?:?$/iu,
  /^.{3,200}\d{1,2}:\d\d.{0,100}<[^<>\s]{3,254}>\s?[:：]$/u,
]

/** Lines after which everything is quoted. */
const DIVIDER =
  /^(?:-{2,}|_{2,})\s*(?:Original Message|Original Appointment|Ursprüngliche Nachricht|Message d'origine|Mensaje original|Messaggio originale|Oorspronkelijk bericht|Исходное сообщение|Forwarded message|Weitergeleitete Nachricht)\s*(?:-{2,}|_{2,})$/i
/** The headers with which Outlook begins a quoted email. Two of them in a row are needed. */
const HEADER =
  /^\*{0,2}(?:From|Sent|Date|To|Cc|Subject|Von|Gesendet|An|Betreff|De|Envoyé|À|Objet|Enviado|Para|Asunto|Da|Inviato|A|Oggetto|Van|Verzonden|Aan|Onderwerp|От|Отправлено|Кому|Тема)\s?:\*{0,2}\s\S/
const FIRST_HEADER = /^\*{0,2}(?:From|Von|De|Da|Van|От)\s?:\*{0,2}\s\S/

/** The delimiter of signatures (RFC 3676, 4.3). Some programs remove the space at its end. */
const SIGNATURE = /^--\s?$/
/** What mobile mail programs add. */
const MOBILE =
  /^(?:Sent from (?:my|Mail|Outlook|Yahoo|Proton)|Get Outlook for|Von meinem .{1,40} gesendet|Gesendet mit der|Envoyé de(?:puis)? mon|Enviado desde mi|Inviato da|Verstuurd vanaf mijn|Отправлено (?:с|из)).{0,80}$/i

const isQuoted = (line: string): boolean => line.startsWith('>')
const isBlank = (line: string): boolean => line.trim() === ''

/** A line of underscores, which Outlook writes in front of them. */
const RULE = /^_{5,}$/

/** How far a line is looked at. Introductions are shorter. */
const MAX_LINE = 600

const looksLike = (pattern: RegExp, line: string): boolean => line.length <= MAX_LINE && pattern.test(line.trim())

/** All of them have a date. */
const introduces = (line: string): boolean =>
  line.length <= MAX_LINE && /\d/.test(line) && INTRODUCTIONS.some((pattern) => pattern.test(line.trim()))

/** Returns the email's own text, without the email that it answers. Lines between quotes stay with their quotes. */
export function withoutQuotes(text: string): string {
  let lines = text.split('\n')
  const end = lines.findIndex((line, at) => beginsQuotedMail(lines, line, at))
  if (end !== -1) lines = lines.slice(0, looksLike(RULE, lines[end - 1] ?? '') ? end - 1 : end)
  lines = withoutTail(lines)
  let last = lines.length
  while (last > 0 && (isQuoted(lines[last - 1]!) || isBlank(lines[last - 1]!))) last--
  // The introduction may be wrapped.
  const isCut = lines.slice(last).some(isQuoted) || end !== -1
  for (const count of isCut ? [1, 2, 3] : []) {
    const introduction = lines.slice(Math.max(0, last - count), last).join(' ')
    if (!introduces(introduction)) continue
    last -= count
    break
  }
  return lines.slice(0, Math.max(0, last)).join('\n')
}

/** Returns whether an email that is quoted without `>` begins here. */
function beginsQuotedMail(lines: readonly string[], line: string, at: number): boolean {
  if (looksLike(DIVIDER, line)) return true
  if (!looksLike(FIRST_HEADER, line)) return false
  return lines.slice(at + 1, at + 4).filter((next) => looksLike(HEADER, next)).length >= 2
}

/** Mail programs that quote without `>` write only an introduction, and everything after it is quoted. */
function withoutTail(lines: readonly string[]): string[] {
  for (let at = 0; at < lines.length; at++) {
    if (isQuoted(lines[at]!) || !introduces(lines[at]!)) continue
    const after = lines.slice(at + 1).filter((line) => !isBlank(line))
    if (after.length > 0 && !after.some(isQuoted)) return lines.slice(0, at)
    // Quotes with answers between them.
    break
  }
  return [...lines]
}

/** Returns the text without its signature. */
export function withoutSignature(text: string): string {
  const lines = text.trimEnd().split('\n')
  const start = lines.findIndex((line) => SIGNATURE.test(line))
  const kept = start === -1 ? lines : lines.slice(0, start)
  while (kept.length > 0 && (isBlank(kept.at(-1)!) || looksLike(MOBILE, kept.at(-1)!))) kept.pop()
  return kept.join('\n')
}
