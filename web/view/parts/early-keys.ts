let typed = ''

function note({ key, ctrlKey, metaKey }: KeyboardEvent): void {
  if (!document.querySelector('dialog[open]')) takeKeys()
  else if (key.length === 1 && !ctrlKey && !metaKey) typed += key
}

/** Returns what was typed so far, and leaves the rest to the field. */
function takeKeys(): string {
  removeEventListener('keydown', note, true)
  return typed
}

/** Notes what is typed into a dialog whose field is still loading. The field takes it when it is there. */
export function earlyKeys(): () => string {
  typed = ''
  // On the way down, so that the key which opened the dialog isn't typed into it.
  addEventListener('keydown', note, true)
  return takeKeys
}
