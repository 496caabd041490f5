import { escapeText } from '../../../core/markup/html.ts'

/** Loaded with the first page that shows a code. */
const load = () => import('uqr')

/** Returns what draws a QR code with a label as SVG. Always dark on light, as cameras expect. */
export async function qrCode(text: string): Promise<(label: string) => string> {
  const { encode } = await load()
  const { data, size } = encode(text, { border: 4 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (label) =>
    `<svg role="img" aria-label="${escapeText(label)}" viewBox="0 0 ${size} ${size}" width="200" height="200"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000" shape-rendering="crispEdges"/></svg>`
}
