import { useRef } from 'preact/hooks'
import { browserStorage } from '../../model/persistence/browser-storage.ts'
import { type Side, setWidth, stored, widths } from './widths.ts'

const STEP_PX = 16

/** Whether lines, and with them the page, begin at the left. */
const isFromLeft = () => document.documentElement.dir !== 'rtl'

/** The edge of a sidebar: dragged, or moved with arrow keys. A double click resets it. */
export function Resizer({ side, label }: { side: Side; label: string }) {
  const edge = useRef<HTMLDivElement>(null)
  const { px, least, most } = widths[side]
  const widthNow = () => px.peek() ?? edge.current?.parentElement?.getBoundingClientRect().width ?? least
  const onKeyDown = (event: KeyboardEvent) => {
    const outwards = (side === 'left') === isFromLeft() ? 1 : -1
    const step = { ArrowRight: outwards, ArrowLeft: -outwards }[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    setWidth(side, widthNow() + step * STEP_PX)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule between sections cannot be moved.
    <div
      ref={edge}
      class={`resizer ${side}-edge`}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={px.value ?? (side === 'left' ? 272 : 216)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDblClick={() => resetWidth(side)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        setWidth(side, (side === 'left') === isFromLeft() ? event.clientX : innerWidth - event.clientX)
      }}
    />
  )
}

/** Restores the stylesheet's width. */
function resetWidth(side: Side): void {
  widths[side].px.value = undefined
  browserStorage().removeItem(stored(side))
  document.documentElement.style.removeProperty(`--${side}`)
}
