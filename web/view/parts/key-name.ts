/**
 * Returns the key's name in the tables of keys: the character it types, or the Latin letter at its position on a
 * non-Latin layout, such as Cyrillic or Greek.
 */
export function keyName({ key, code, shiftKey }: KeyboardEvent): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (!letter || key.length !== 1 || key <= '\u007f') return key
  return shiftKey ? letter : letter.toLowerCase()
}

/**
 * Whether a key is an input method's: Enter and Escape end a composition there. In Safari the one that ends it comes after the
 * composition, and only the old keyCode tells it apart.
 */
export const isComposed = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229

/** Whether a key is part of a command of the browser or the system. AltGr is none: with it many layouts write brackets and "@". */
export const isCommand = (event: KeyboardEvent): boolean =>
  event.metaKey || ((event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph'))

/** Whether the element is written into, or walks its own choices by letters. */
export const isBox = (element: HTMLElement): boolean =>
  element.isContentEditable || (/^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) && !isControl(element))

/** Whether the element itself uses the key. */
export function isOwnKey(element: HTMLElement, key: string): boolean {
  if (/^(BUTTON|A|SUMMARY)$/.test(element.tagName)) return /^(Enter| )$/.test(key)
  return isControl(element) && /^(Enter| |Arrow.*|Home|End)$/.test(key)
}

const isControl = (element: HTMLElement): boolean =>
  element.matches('input:is([type=checkbox], [type=radio], [type=range], [type=file], [type=color])')
