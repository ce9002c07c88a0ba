/** In place of `@smithy/core/event-streams`: nothing that the functions call streams events. */
export const EventStreamSerde = undefined;
