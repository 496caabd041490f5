import { onDemand } from '../parts/on-demand.tsx'

// What visitors without an account see. No one else loads it.
const load = () => import('../settings/loaded-pages.ts')

export const SpectatorHeader = onDemand(async () => (await load()).SpectatorHeader)
export const SpectatorPlaces = onDemand(async () => (await load()).SpectatorPlaces)
export const SpectatorNotice = onDemand(async () => (await load()).SpectatorNotice)
export const SpectatorBar = onDemand(async () => (await load()).SpectatorBar)
