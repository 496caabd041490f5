/** A link to an uploaded file, or the placeholder of one that is on its way. */
const LINK = String.raw`!?\[[^\]\n]*\]\(\/user_uploads\/[^)\s]+\)|\[[^\]\n]* …\]\(\)`
const AT_END = new RegExp(String.raw`(?:(?:^|\n\n|[ \n])(?:${LINK}))+ ?$`)

/** Divides a text into the words and the files that follow them. The composer shows these only as a list. */
export function splitFiles(text: string): { words: string; files: string } {
  const [found = ''] = AT_END.exec(text) ?? []
  return { words: text.slice(0, text.length - found.length), files: found.trim() }
}

/** Puts words and the files that follow them together. */
export const joinFiles = (words: string, files: string): string =>
  words === '' || files === '' ? words + files : `${words}\n\n${files}`

/** Puts a file after everything else. */
export function withFile(text: string, link: string): string {
  const { words, files } = splitFiles(text)
  return joinFiles(words, files === '' ? link : `${files}\n${link}`)
}
