import { type Signal, signal } from '@preact/signals'
import { browserStorage } from '../../model/persistence/browser-storage.ts'

export type Side = 'left' | 'right'

interface Width {
  /** In pixels; undefined for the stylesheet's width. */
  px: Signal<number | undefined>
  least: number
  most: number
}

/** The widths of the sidebars, stored by the browser. */
export const widths: Readonly<Record<Side, Width>> = {
  left: { px: signal(undefined), least: 180, most: 480 },
  right: { px: signal(undefined), least: 150, most: 400 },
}

export const stored = (side: Side) => `width-${side}`

export function setWidth(side: Side, px: number): void {
  const { least, most, px: width } = widths[side]
  width.value = Math.round(Math.min(most, Math.max(least, px)))
  browserStorage().setItem(stored(side), String(width.value))
  document.documentElement.style.setProperty(`--${side}`, `${width.value}px`)
}

for (const side of ['left', 'right'] as const) {
  const px = Number(browserStorage().getItem(stored(side)))
  if (px > 0) setWidth(side, px)
}
