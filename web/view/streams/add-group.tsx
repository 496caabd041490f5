import { userGroups } from '../../model/reading/groups.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { AddChoice } from '../parts/field.tsx'
import { useSession } from '../session-context.ts'

/** A choice of groups whose members are added immediately. */
export function AddGroup({ onAdd }: { onAdd(group_id: number): void }) {
  const groups = userGroups(useSession()).filter(({ members }) => members.length > 0)
  if (groups.length === 0) return null
  return (
    <AddChoice
      label={pageTexts.channel.addGroup}
      placeholder={pageTexts.channel.addGroupPlaceholder}
      options={groups.map(({ id, name }) => [id, name])}
      onAdd={onAdd}
    />
  )
}
