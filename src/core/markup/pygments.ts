/** Pygments' class for each scope of highlight.js; clients style the former. A scope that is not here gets none. */
const classes: Readonly<Record<string, string>> = {
  keyword: 'k',
  built_in: 'nb',
  type: 'kt',
  literal: 'kc',
  number: 'mi',
  operator: 'o',
  punctuation: 'p',
  property: 'py',
  regexp: 'sr',
  string: 's',
  'char escape_': 'se',
  subst: 'si',
  symbol: 'ss',
  class: 'nc',
  function: 'nf',
  variable: 'nv',
  'variable language_': 'bp',
  'variable constant_': 'no',
  title: 'nf',
  'title class_': 'nc',
  'title class_ inherited__': 'nc',
  'title function_': 'nf',
  'title function_ invoke__': 'nf',
  comment: 'c1',
  doctag: 'cs',
  meta: 'cp',
  'meta prompt_': 'gp',
  section: 'gh',
  tag: 'p',
  name: 'nt',
  attr: 'na',
  attribute: 'na',
  bullet: 'o',
  code: 'sb',
  emphasis: 'ge',
  strong: 'gs',
  link: 'sx',
  quote: 'c',
  'selector-tag': 'nt',
  'selector-id': 'nn',
  'selector-class': 'nc',
  'selector-attr': 'na',
  'selector-pseudo': 'nd',
  'template-tag': 'cp',
  'template-variable': 'nv',
  addition: 'gi',
  deletion: 'gd',
}

/**
 * Rewrites what highlight.js wrote. Its spans stand in one another, Pygments' never do and some clients rely on it: each
 * stretch of text gets the class of the innermost span that has one.
 */
export function toPygments(html: string): string {
  let result = ''
  const open: string[] = []
  // There is no other markup in it: what highlight.js was given, it escaped.
  for (const [part, scope] of html.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    const short = open.at(-1) ?? ''
    if (scope !== undefined) open.push(classes[scope.replace('hljs-', '')] ?? short)
    else if (part === '</span>') open.pop()
    else result += short === '' || part.trim() === '' ? part : `<span class="${short}">${part}</span>`
  }
  return result
}

/** Languages that Pygments calls otherwise, by what people type. */
const names: Readonly<Record<string, string>> = {
  html: 'HTML',
  xhtml: 'HTML',
  xml: 'XML',
  svg: 'XML',
  text: 'Text only',
  txt: 'Text only',
  plaintext: 'Text only',
  toml: 'TOML',
  ini: 'INI',
  console: 'Bash Session',
  shell: 'Bash',
  sh: 'Bash',
  jsx: 'JSX',
  tsx: 'TSX',
  latex: 'TeX',
  tex: 'TeX',
  golang: 'Go',
  cs: 'C#',
  objc: 'Objective-C',
  postgresql: 'PostgreSQL SQL dialect',
}

/** The name a client shows above code in a language. */
export function languageName(typed: string, known: string | undefined): string {
  return Object.hasOwn(names, typed.toLowerCase()) ? names[typed.toLowerCase()]! : (known ?? typed)
}
