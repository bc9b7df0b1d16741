package dev.rowlock.control;

/** How the cluster and its jobs fare, and what lies ahead. */
public record Reports(Forecasts forecasts, Overviews overviews, Stats stats) {}
