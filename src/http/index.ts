export { type App, type AppOptions, createApp } from './app.ts'
export { routes } from './routes.ts'
export { type ChatServer, createChatServer, type ServerOptions } from './server.ts'
export type { AnyAction, Method, Routes } from './table.ts'
