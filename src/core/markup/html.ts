const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character]!)
}

export function escapeAttribute(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character]!)
}

/** One opening tag. Every tag of ours is made here or by the parser's own printer, so no text gets out unescaped. */
export function tag(name: string, attributes: Readonly<Record<string, string | number | undefined>> = {}): string {
  let html = `<${name}`
  for (const key in attributes) {
    const value = attributes[key]
    if (value !== undefined) html += ` ${key}="${escapeAttribute(String(value))}"`
  }
  return `${html}>`
}

/** A whole element around a plain text. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  text: string,
): string {
  return `${tag(name, attributes)}${escapeText(text)}</${name}>`
}
