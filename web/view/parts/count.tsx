/** How many messages are unread; nothing where none is. */
export function Count({ of: count }: { of: number }) {
  if (count === 0) return null
  return (
    <span class="count">
      {count > 999 ? '999+' : count}
      <span class="hidden"> unread</span>
    </span>
  )
}
