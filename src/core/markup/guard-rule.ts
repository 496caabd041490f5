import type { Ruler } from 'markdown-it'

/** Makes a rule of the parser fail where `refuse` says so. */
export function guardRule<Args extends unknown[], Refuse extends (...args: Args) => boolean>(
  ruler: Ruler<Args, boolean>,
  name: string,
  refuse: Refuse,
) {
  // The parser can replace a rule but not decorate it, so the present one is read from its list.
  const { fn, alt } = ruler.__rules__[ruler.__find__(name)]!
  ruler.at(name, (...args) => !refuse(...args) && fn(...args), { alt })
}
