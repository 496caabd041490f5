/** What few messages need, loaded when it is first used. */

export { openReactions } from '../feed/reaction-list.tsx'
export { addCodeTools, addQuoteTools } from './block-tools.ts'
export { openGroup } from './group-card.tsx'
export { openLightbox } from './lightbox.ts'
export { PersonCard } from './person-card.tsx'
export { addPlayer } from './player.ts'
