export { ChannelFinder } from '../compose/channel-finder.tsx'
export { Palette } from './palette.tsx'
