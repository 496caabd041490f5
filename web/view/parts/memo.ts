import { Component, type ComponentType, createElement } from 'preact'

/** A component that is made again only when a property is another one. */
export function memo<P extends object>(Inner: ComponentType<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const before = this.props as P
      return (Object.keys(next) as (keyof P)[]).some((name) => next[name] !== before[name])
    }
    override render(props: P) {
      return createElement(Inner, props)
    }
  }
}
