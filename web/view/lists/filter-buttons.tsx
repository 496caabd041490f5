import { pieceTexts } from '../../texts/piece-texts.ts'

const filterLabels = {
  unread: pieceTexts.recent.unread,
  mentions: pieceTexts.recent.mentions,
  participated: pieceTexts.recent.participated,
  followed: pieceTexts.recent.followed,
  muted: pieceTexts.recent.muted,
} as const

interface FilterButtonsProps<Name extends keyof typeof filterLabels> {
  names: readonly Name[]
  chosen: readonly Name[]
  toggle(name: Name): void
}

/** Filters of a list of conversations. Several can be on. */
export const FilterButtons = <Name extends keyof typeof filterLabels>({
  names,
  chosen,
  toggle,
}: FilterButtonsProps<Name>) => (
  <>
    {names.map((name) => (
      <button key={name} type="button" aria-pressed={chosen.includes(name)} onClick={() => toggle(name)}>
        {filterLabels[name]}
      </button>
    ))}
  </>
)
