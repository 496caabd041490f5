import { address } from '../../model/state/route.ts'

/** The tab in the address, after so many parts of it, as `members` in `#streams/7/members`. */
export const tabInAddress = (after: number): string | undefined => address.peek().split('/')[after]

/** Names a tab in the address of this visit, so that links and a reload lead to it. */
export function keepTab(after: number, name: string): void {
  const to = [...location.hash.split('/').slice(0, after), name].join('/')
  history.replaceState(history.state, '', to)
}
