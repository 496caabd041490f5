// biome-ignore lint/suspicious/noExplicitAny: what was logged, in the shape its type has.
type Count = (event: any) => number

/** Events that older clients take as several: each of the parts has an id of its own. */
const idCounts: Readonly<Record<string, Count>> = {
  // Clients without bulk deletion take one event a message.
  delete_message: ({ message_ids }) => Math.max(1, message_ids.length),
  // muted_topics goes before it.
  user_topic: () => 2,
  // update_display_settings or update_global_notifications goes before it.
  user_settings: () => 2,
  // in_home_view goes before is_muted.
  subscription: ({ op, property }) => (op === 'update' && property === 'is_muted' ? 2 : 1),
}

/** How many ids an event takes in the log; its own is the last of them. */
export const idCountOf = (event: { readonly type: string }): number => idCounts[event.type]?.(event) ?? 1
