/** Returns the texts in a value of JSON, such as the data of a widget, without the types of its parts. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => (/^(?:type|widget_type)$/.test(name) ? [] : textsIn(part)))
}
