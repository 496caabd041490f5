/** How Pygments' classes for one language differ, and how it divides text that highlight.js leaves plain. */
export interface Profile {
  /** Classes by scope; an empty class leaves the text plain. */
  kinds?: Readonly<Record<string, string>>
  /** Classes of words, whatever their scope, except in strings and comments. */
  words?: ReadonlyMap<string, string>
  /** The classes of other names, of punctuation and of operators. */
  name?: string
  punctuation?: RegExp
  operator?: RegExp
  /** Other symbols, with their class. */
  marks?: Readonly<Record<string, string>>
  /** The class of every number. Without it, integers, fractions and hexadecimal numbers have their own classes. */
  number?: string
  /** Whether single and double quotation marks have their own classes. */
  quotes?: true
}

const withDotOperator = { punctuation: /[()[\]{},:;]+/y, operator: /[-+*/%=<>!&|^~.@?$]+/y }
const withDot = { punctuation: /[()[\]{},;.]+/y, operator: /[-+*/%=<>!&|^~?:@]+/y }

/** Classes of words, given as a list of words per class. */
const words = (lists: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(lists).flatMap(([kind, list]) => list.split(' ').map((word) => [word, kind] as const)))

const script: Profile = {
  name: 'nx',
  quotes: true,
  number: 'mf',
  ...withDot,
  punctuation: /=>|[()[\]{},;.]+/y,
  kinds: {
    'title function_': 'nx',
    'title class_': 'nx',
    'title class_ inherited__': 'nx',
    property: 'nx',
    attr: 'nx',
  },
  words: words({
    kd: 'const let var with function class interface enum',
    kr: 'from constructor type abstract implements private protected public readonly declare',
    ow: 'new typeof instanceof in delete void keyof',
    kc: 'true false null undefined NaN Infinity',
    k: 'this super async await of static',
    kt: 'string number boolean any never unknown',
  }),
}

const compiled: Profile = {
  name: 'n',
  ...withDot,
  kinds: { 'title class_ inherited__': '', 'variable constant_': '', built_in: '' },
  words: words({ k: 'const volatile include', kc: 'true false nullptr', n: 'NULL' }),
}

/** By the name highlight.js gives the language. */
const profiles: Readonly<Record<string, Profile>> = {
  Python: {
    name: 'n',
    quotes: true,
    ...withDotOperator,
    kinds: { meta: 'nd', 'title class_ inherited__': '', subst: '' },
    words: words({
      kn: 'import from',
      ow: 'and or not in is',
      bp: 'self cls',
      fm: '__init__ __new__ __call__ __enter__ __exit__ __iter__ __next__ __len__ __str__ __repr__ __eq__ __hash__',
      ne:
        'Exception ValueError TypeError KeyError IndexError AttributeError RuntimeError OSError ImportError NameError ' +
        'StopIteration AssertionError NotImplementedError ZeroDivisionError FileNotFoundError PermissionError TimeoutError',
    }),
  },
  // People paste code without the opening tag, so a tag is two symbols and a name.
  php: {
    name: 'nx',
    quotes: true,
    punctuation: /[()[\]{},;]+/y,
    operator: /[-+*/%=<>!&|^~.:@?]+/y,
    kinds: { meta: '', 'title class_': 'nc' },
  },
  JavaScript: script,
  TypeScript: script,
  Ruby: { name: 'n', quotes: true, ...withDotOperator, kinds: { 'title class_ inherited__': 'no' } },
  C: compiled,
  'C++': compiled,
  'C#': { ...compiled, kinds: { 'title class_ inherited__': '' } },
  Java: {
    name: 'n',
    punctuation: /[()[\]{},;.:]+/y,
    operator: /[-+*/%=<>!&|^~?]+/y,
    kinds: { meta: 'nd', variable: '', 'title class_ inherited__': '' },
    words: words({
      kn: 'package import',
      kd: 'public private protected class interface enum extends implements static final abstract native throws void',
      k: 'this super',
      n: 'String',
    }),
  },
  Go: {
    name: 'nx',
    punctuation: /[()[\]{},;.]+/y,
    operator: /[-+*/%=<>!&|^~:]+/y,
    kinds: { 'title function_': 'nx', built_in: 'nb' },
    words: words({
      kn: 'package import',
      kd: 'func var const type struct map chan interface',
      kc: 'nil true false iota',
    }),
  },
  Rust: { name: 'n', ...withDot, words: words({ kd: 'let', nb: 'Some None Ok Err Result Vec Option String Box' }) },
  Kotlin: { name: 'n', ...withDot },
  Swift: { name: 'n', ...withDot },
  SQL: {
    name: 'n',
    punctuation: /[;,()[\].]+/y,
    operator: /[-+*/<>=~!@#%^&|`?]+/y,
    kinds: { string: 's1', built_in: 'k' },
  },
  JSON: { quotes: true, kinds: { attr: 'nt', keyword: 'kc', literal: 'kc' } },
  Bash: { quotes: true, operator: /[[\](){}=]+/y, punctuation: /[;|&]+/y, words: words({ k: 'return' }) },
  YAML: { punctuation: /[:[\]{},]+/y, kinds: { attr: 'nt', bullet: 'p', literal: '' } },
  CSS: { punctuation: /[{}:;,.#>()@]+/y, kinds: { 'selector-pseudo': 'nd', attribute: 'k', built_in: 'nb' } },
  Diff: { kinds: { comment: 'gh', meta: 'gu' } },
  LaTeX: { marks: { '{': 'nb', '}': 'nb' } },
}

export const profileOf = (language: string): Profile => profiles[language] ?? {}
