package dev.rowlock.report;

/** Reports on the past and the future of the cluster and its jobs. */
public record Reports(Forecasts forecasts, Overviews overviews, Stats stats) {}
