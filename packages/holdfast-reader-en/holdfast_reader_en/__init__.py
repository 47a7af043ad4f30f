"""The files of the English model of Holdfast's encoder. They are read by `holdfast.reading.encoder`."""
