/** The stylesheet of the plain pages: the reader's fonts and colours, light or dark, and room on a phone. */
export const style = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; overflow-wrap: break-word; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 2rem 0 .5rem; font-size: 1.25rem; }
h3 { margin: 1rem 0 0; font-size: 1rem; }
p { margin: .25rem 0 .5rem; }
pre { margin: .25rem 0 .75rem; padding: .6rem .75rem; overflow-x: auto; border-radius: .4rem;
  background: color-mix(in srgb, CanvasText 8%, Canvas); }
code { font: .875rem/1.45 ui-monospace, monospace; }
`
