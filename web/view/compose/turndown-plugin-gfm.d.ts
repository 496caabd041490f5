declare module 'turndown-plugin-gfm' {
  import type Turndown from 'turndown'
  /** Tables, struck text and tasks. */
  export const gfm: Turndown.Plugin
}
