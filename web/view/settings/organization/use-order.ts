import { useShown } from '../../parts/use-saving.ts'

interface Row {
  id: number
}

/**
 * Returns rows in their chosen order, and a function that moves one. A second press continues from the first, even
 * before its event.
 */
export function useOrder<T extends Row>(rows: readonly T[], save: (ids: number[]) => Promise<unknown>) {
  const { shown, problem, run } = useShown(rows.map(({ id }) => id).join(), (order) => save(idsIn(order)))
  const inOrder = (): T[] => {
    const ids = idsIn(shown.value)
    // Rows added since come last.
    const placeOf = ({ id }: Row) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
    return [...rows].sort((a, b) => placeOf(a) - placeOf(b))
  }
  const move = (id: number, by: number) => {
    const ids = inOrder().map((row) => row.id)
    const at = ids.indexOf(id)
    ids.splice(at, 1)
    ids.splice(at + by, 0, id)
    run(ids.join())
  }
  return { rows: inOrder(), move, problem }
}

const idsIn = (order: string): number[] => order.split(',').map(Number)
