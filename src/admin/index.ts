export { listenForCommands } from './socket.ts'
