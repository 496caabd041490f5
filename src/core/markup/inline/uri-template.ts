/** How each operator of RFC 6570 writes its values (its appendix A). */
const operators: Readonly<Record<string, { first: string; separator: string; named: boolean; reserved: boolean }>> = {
  '': { first: '', separator: ',', named: false, reserved: false },
  '+': { first: '', separator: ',', named: false, reserved: true },
  '#': { first: '#', separator: ',', named: false, reserved: true },
  '.': { first: '.', separator: '.', named: false, reserved: false },
  '/': { first: '/', separator: '/', named: false, reserved: false },
  ';': { first: ';', separator: ';', named: true, reserved: false },
  '?': { first: '?', separator: '&', named: true, reserved: false },
  '&': { first: '&', separator: '&', named: true, reserved: false },
}

function strictlyEncode(text: string): string {
  // encodeURIComponent leaves five marks alone that the standard calls reserved.
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function encode(text: string, keepReserved: boolean): string {
  if (!keepReserved) return strictlyEncode(text)
  // Reserved marks and what is encoded already stay as they are between the stretches that are not.
  return text.replace(/(%[0-9a-f]{2}|[:/?#[\]@!$&'()*+,;=]+)|[^%:/?#[\]@!$&'()*+,;=]+|%/gi, (part, kept) =>
    kept === undefined ? strictlyEncode(part) : part,
  )
}

/** Expands an RFC 6570 template with text values: `https://example.com/{id}{?q}`. Unknown variables leave nothing. */
export function expandUriTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([+#./;?&]?)([^{}]+)\}/g, (_expression, sign: string, list: string) => {
    const operator = operators[sign]!
    const parts: string[] = []
    for (const variable of list.split(',')) {
      const [, name = '', length] = /^([^:*]+)(?::(\d{1,4})|\*)?$/.exec(variable.trim()) ?? []
      if (!Object.hasOwn(values, name)) continue
      const value = length === undefined ? values[name]! : Array.from(values[name]!).slice(0, Number(length)).join('')
      const encoded = encode(value, operator.reserved)
      // `;x` stands for an empty parameter where `?x=` does.
      if (!operator.named) parts.push(encoded)
      else parts.push(value === '' && sign === ';' ? name : `${name}=${encoded}`)
    }
    return parts.length === 0 ? '' : operator.first + parts.join(operator.separator)
  })
}
