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

/** Rewrites the spans of highlight.js. Its output holds no other markup: what it was given, it escaped. */
export function toPygments(html: string): string {
  return html.replace(/<span class="([^"]*)">/g, (_span, list: string) => {
    const short = classes[list.replace('hljs-', '')]
    return short ? `<span class="${short}">` : '<span>'
  })
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
