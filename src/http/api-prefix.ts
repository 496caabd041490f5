/** Where the API is served, below the base path. */
export const API_PREFIX = '/api/v1'
