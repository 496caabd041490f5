/** Characters with a meaning in mentions, which names of people and groups can't have. */
export const NAME = /[*`\\>"@]/g

/** Appends the first number that makes a name free, within a length in characters. */
export function numbered(name: string, most: number, isTaken: (text: string) => boolean): string {
  for (let n = 2; ; n++) {
    const suffix = ` (${n})`
    const text = [...name].slice(0, most - suffix.length).join('') + suffix
    if (!isTaken(text)) return text
  }
}
