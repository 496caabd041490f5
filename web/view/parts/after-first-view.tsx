import type { ComponentType, FunctionComponent } from 'preact'
import { isFirstViewDrawn } from '../../model/state/first-draw.ts'
import { later } from '../../model/state/later.ts'

/** A component that is loaded when the first view has been drawn. Until then, nothing takes its place. */
export function afterFirstView<P extends object>(load: () => Promise<ComponentType<P>>): FunctionComponent<P> {
  const { part, load: begin } = later(load)
  return (props) => {
    if (isFirstViewDrawn.value) begin()
    return part.value ? <part.value {...props} /> : null
  }
}
